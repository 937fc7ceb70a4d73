/* interrupt.h: Ctrl-C during a long run: what is finished is still printed. */
#ifndef PROGRAM_INTERRUPT_H
#define PROGRAM_INTERRUPT_H

#include <stdbool.h>

/* From now on the first Ctrl-C is only noted, the second ends the program. If SIGINT is ignored, it
 * stays so. */
void interrupt_catch(void);

/* Has it come? May be asked by any thread. */
bool interrupt_came(void);

#endif
