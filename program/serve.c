/* serve.c: a page over HTTP by libmicrohttpd (see serve.h).
 *
 * Nobody but this machine may see the page, which holds a file of the user: the sockets are bound
 * to the loopback addresses, and a request whose `Host` is another name is refused, so that a page
 * from elsewhere whose name was made to mean 127.0.0.1 (DNS rebinding) learns nothing. The page may
 * run what is in it and load nothing: that is what the content security policy says.
 *
 * The library answers in a thread of its own for each address, while the program waits for a
 * signal.
 */
#define _POSIX_C_SOURCE 200809L
#include "serve.h"

#if !defined(CAIRN_WITH_HTTP)

bool serve_possible(void)
{
    return false;
}

server *serve_begin(const char *page, size_t size, uint32_t port)
{
    (void)page, (void)size, (void)port;
    return NULL;
}

const char *serve_url(const server *s)
{
    (void)s;
    return "";
}

void serve_until_told(server *s)
{
    (void)s;
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SERVE_WAITING = 16, SERVE_CONNECTIONS = 64, SERVE_SECONDS = 60 };

struct server {
    const char *page;
    size_t size;
    struct MHD_Daemon *daemons[2]; /* 127.0.0.1, and ::1 where there is one */
    sigset_t told, before;         /* the signals that end it; those that were blocked before */
    char url[64];
};

bool serve_possible(void)
{
    return true;
}

const char *serve_url(const server *s)
{
    return s->url;
}

/* ---- answering ---- */

static const struct {
    const char *name, *value;
} serve_headers[] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline' "
                                "'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
                                "img-src data:; worker-src blob:; base-uri 'none'; form-action "
                                "'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
};

typedef struct serve_answer {
    unsigned status;
    const char *type, *body;
    size_t size;
} serve_answer;

static enum MHD_Result serve_send(struct MHD_Connection *connection, const serve_answer *answer)
{
    /* The library takes a pointer to what it might change, and does not change it. */
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->size, (void *)(uintptr_t)answer->body, MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    bool ok = true;
    for (uint32_t i = 0; i < sizeof serve_headers / sizeof serve_headers[0]; i++)
        ok = ok && MHD_add_response_header(response, serve_headers[i].name, serve_headers[i].value);
    if (answer->type) ok = ok && MHD_add_response_header(response, "Content-Type", answer->type);
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        ok = ok && MHD_add_response_header(response, "Allow", "GET, HEAD");
    enum MHD_Result result = ok ? MHD_queue_response(connection, answer->status, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

/* A name of this machine for itself, with or without a port. */
static bool serve_is_loopback(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (uint32_t i = 0; host && i < 3; i++) {
        size_t length = strlen(names[i]);
        if (!strncasecmp(host, names[i], length) && (!host[length] || host[length] == ':'))
            return true;
    }
    return false;
}

static serve_answer serve_text(unsigned status, const char *text)
{
    return (serve_answer){status, "text/plain; charset=utf-8", text, strlen(text)};
}

static serve_answer serve_choose(const server *s, const char *host, const char *url,
                                 const char *method)
{
    bool icon = !strcmp(url, "/favicon.ico");
    if (!serve_is_loopback(host))
        return serve_text(MHD_HTTP_FORBIDDEN, "This page is for this machine.\n");
    if (strcmp(url, "/") != 0 && !icon)
        return serve_text(MHD_HTTP_NOT_FOUND, "There is only one page: /\n");
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return serve_text(MHD_HTTP_METHOD_NOT_ALLOWED, "The page can be read, and no more.\n");
    if (icon) return (serve_answer){.status = MHD_HTTP_NO_CONTENT, .body = ""};
    return (serve_answer){MHD_HTTP_OK, "text/html; charset=utf-8", s->page, s->size};
}

static enum MHD_Result serve_request(void *user, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, const char *upload,
                                     size_t *upload_size, void **state)
{
    (void)version, (void)upload, (void)upload_size, (void)state;
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    serve_answer answer = serve_choose(user, host, url, method);
    return serve_send(connection, &answer);
}

/* ---- listening ---- */

typedef union serve_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} serve_address;

static serve_address serve_loopback(int family, uint16_t port)
{
    serve_address a;
    memset(&a, 0, sizeof a);
    if (family == AF_INET) {
        a.four.sin_family = AF_INET;
        a.four.sin_port = htons(port);
        a.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
        a.six.sin6_family = AF_INET6;
        a.six.sin6_port = htons(port);
        a.six.sin6_addr = in6addr_loopback;
    }
    return a;
}

static socklen_t serve_address_size(int family)
{
    return family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

/* A socket that listens; -1, with errno, if there is none to be had. */
static int serve_listen(int family, uint16_t port)
{
    int sock = socket(family, SOCK_STREAM, 0);
    if (sock < 0) return -1;
    int yes = 1;
    serve_address address = serve_loopback(family, port);
    /* Started again at once, it gets the port again. */
    bool ok = !setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (family == AF_INET6)
        ok = ok && !setsockopt(sock, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    ok = ok && !fcntl(sock, F_SETFD, FD_CLOEXEC) && !fcntl(sock, F_SETFL, O_NONBLOCK);
    ok =
        ok && !bind(sock, &address.any, serve_address_size(family)) && !listen(sock, SERVE_WAITING);
    if (ok) return sock;
    int fault = errno;
    close(sock);
    errno = fault;
    return -1;
}

static uint16_t serve_port_of(int sock)
{
    serve_address address;
    socklen_t size = sizeof address;
    return getsockname(sock, &address.any, &size) ? 0 : ntohs(address.four.sin_port);
}

static struct MHD_Daemon *serve_start(server *s, int sock)
{
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, serve_request, s, MHD_OPTION_LISTEN_SOCKET,
        sock, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVE_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVE_SECONDS, MHD_OPTION_END);
    if (!daemon) close(sock);
    return daemon;
}

static bool serve_open(server *s, uint32_t wanted)
{
    int sock = serve_listen(AF_INET, (uint16_t)wanted);
    if (sock < 0) {
        if (errno == EADDRINUSE)
            complain("port %u is in use: choose another one with --port, or leave it out", wanted);
        else
            complain("cannot listen on port %u of this machine: %s", wanted, strerror(errno));
        return false;
    }
    uint16_t port = serve_port_of(sock);
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%u/", (unsigned)port);
    s->daemons[0] = serve_start(s, sock);
    if (!s->daemons[0]) return complain("the server cannot be started"), false;
    sock = serve_listen(AF_INET6, port);
    if (sock >= 0) s->daemons[1] = serve_start(s, sock);
    return true;
}

/* ---- the life of a server ---- */

static void serve_end(server *s)
{
    for (uint32_t i = 0; i < 2; i++)
        if (s->daemons[i]) MHD_stop_daemon(s->daemons[i]);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    free(s);
}

server *serve_begin(const char *page, size_t size, uint32_t port)
{
    server *s = calloc(1, sizeof *s);
    if (!s) return complain("there is not enough memory to begin"), NULL;
    *s = (server){.page = page, .size = size};
    /* Blocked before there are threads, which are then blocked too: the signals wait for
     * serve_until_told. Shells start what runs in the background with SIGINT ignored; it shall end
     * this one all the same. */
    sigemptyset(&s->told);
    sigaddset(&s->told, SIGINT);
    sigaddset(&s->told, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &s->told, &s->before);
    if (serve_open(s, port)) return s;
    serve_end(s);
    return NULL;
}

void serve_until_told(server *s)
{
    int which;
    while (sigwait(&s->told, &which) == EINTR) continue;
    serve_end(s);
}

#endif
