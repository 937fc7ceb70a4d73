/* interrupt.c: Ctrl-C, noted by a signal handler (see interrupt.h). */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool interrupt_flag;

static void interrupt_note(int signal)
{
    (void)signal;
    atomic_store(&interrupt_flag, true);
}

void interrupt_catch(void)
{
    struct sigaction old, new = {.sa_flags = (int)SA_RESETHAND};
    new.sa_handler = interrupt_note; /* reads that wait are ended, too: no SA_RESTART */
    sigemptyset(&new.sa_mask);
    if (!sigaction(SIGINT, NULL, &old) && old.sa_handler != SIG_IGN) sigaction(SIGINT, &new, NULL);
}

bool interrupt_came(void)
{
    return atomic_load(&interrupt_flag);
}
