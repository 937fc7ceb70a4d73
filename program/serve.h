/* serve.h: one page, served over HTTP to this machine alone. */
#ifndef PROGRAM_SERVE_H
#define PROGRAM_SERVE_H

#include "command.h"

typedef struct server server;

/* Was the program built with what serving needs? */
bool serve_possible(void);

/* What is served. All of it must stay where it is. */
typedef struct serve_page {
    const char *data;
    size_t size;
    const char *policy; /* content security policy of the page */
} serve_page;

/* Listens on the loopback addresses (port 0: any that is free) and answers from now on. NULL
 * after a complaint. */
server *serve_begin(const serve_page *page, uint32_t port);

/* The address to type into a browser. */
const char *serve_url(const server *s);

/* Waits for Ctrl-C (or to be told to end), then ends serving and frees everything. */
void serve_until_told(server *s);

#endif
