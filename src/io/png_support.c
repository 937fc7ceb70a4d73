/* png_support.c: memory, warnings and writing of libpng (see png_support.h). */
#include "io/png_support.h"

#if defined(CAIRN_WITH_PNG)

#include <setjmp.h>

png_voidp crn_png_allocate(png_structp png, png_alloc_size_t size)
{
    crn_png_memory *memory = png_get_mem_ptr(png);
    void *block = crn_io_block(memory->context, NULL, size);
    if (!block) memory->failed = true;
    return block;
}

void crn_png_free(png_structp png, png_voidp block)
{
    crn_png_memory *memory = png_get_mem_ptr(png);
    crn_io_block_free(memory->context, block);
}

/* libpng prints its complaints by default; ours go into the status. */
void crn_png_silent_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void png_raise(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void png_put(png_structp png, png_bytep data, png_size_t size)
{
    crn_io_buffer *out = png_get_io_ptr(png);
    crn_io_put(out, data, size);
    if (out->failed) png_error(png, "no memory");
}

static void png_flush_nothing(png_structp png)
{
    (void)png;
}

/* Apart from the locals of the caller, because of longjmp. */
static bool png_run(png_structp png, png_infop info, crn_io_buffer *out,
                    void (*encode)(png_structp png, png_infop info, void *user), void *user)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, out, png_put, png_flush_nothing);
    encode(png, info, user);
    png_write_end(png, info);
    return true;
}

bool crn_png_write(crn_io_buffer *out, void (*encode)(png_structp png, png_infop info, void *user),
                   void *user)
{
    crn_png_memory memory = {.context = out->context};
    png_structp png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, png_raise, crn_png_silent_warning,
                                  &memory, crn_png_allocate, crn_png_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && png_run(png, info, out, encode, user);
    if (png) png_destroy_write_struct(&png, &info);
    return ok && !memory.failed;
}

#endif
