/* png_support.h (internal): libpng as all files here use it: with the context's memory, without
 * messages on the terminal and, for writing, into a buffer.
 */
#ifndef CRN_IO_PNG_SUPPORT_H
#define CRN_IO_PNG_SUPPORT_H

#include "io/support.h"

#if defined(CAIRN_WITH_PNG)

#include <png.h>

/* The user pointer of the two memory hooks. */
typedef struct crn_png_memory {
    cairn_context *context;
    bool failed; /* libpng goes on without some of its memory, we do not */
} crn_png_memory;

png_voidp crn_png_allocate(png_structp png, png_alloc_size_t size);
void crn_png_free(png_structp png, png_voidp block);
void crn_png_silent_warning(png_structp png, png_const_charp text);

/* Calls `encode`, which sets the header and writes the rows; the output of libpng goes into the
 * buffer. False = there is not enough memory; nothing else can go wrong. `encode` may be left by
 * longjmp, so it must not own anything. */
bool crn_png_write(crn_io_buffer *out, void (*encode)(png_structp png, png_infop info, void *user),
                   void *user);

#endif
#endif
