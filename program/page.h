/* page.h: the playground, one HTML file, with a world put into it. */
#ifndef PROGRAM_PAGE_H
#define PROGRAM_PAGE_H

#include "world.h"

enum { PAGE_POLICY_MAX = 1024 };

/* The page in memory; free with page_free. */
typedef struct page {
    char *data;
    size_t size;
    char policy[PAGE_POLICY_MAX]; /* what browsers may run in it and load, as the page says it */
} page;

/* Makes the page from a file (NULL: the one that came with the program) and a world (NULL: none),
 * in place of a world that is in the page already. END_OK, or END_DATA after a complaint. Free it
 * in every case. */
int page_make(page *p, cairn_context *context, const char *file, const world *w);
void page_free(page *p);

#endif
