/* serve.c: a page over HTTP by libmicrohttpd (see serve.h).
 *
 * Nobody but this machine may see the page, which holds a file of the user: the sockets are bound
 * to the loopback addresses, and a request whose `Host` is another name is refused, so that a page
 * from elsewhere whose name was made to mean 127.0.0.1 (DNS rebinding) learns nothing. The content
 * security policy that the page brings is sent with it, and no frame may show it.
 *
 * The library answers in a thread of its own for each address, while the program waits for a
 * signal. Whoever opens connections and says nothing keeps nobody else out: of more than
 * SERVE_CONNECTIONS the one that has been silent for longest is ended, and all end after
 * SERVE_SECONDS of silence.
 */
#define _POSIX_C_SOURCE 200809L
#include "serve.h"

#if !defined(CAIRN_WITH_HTTP)

bool serve_possible(void)
{
    return false;
}

server *serve_begin(const serve_page *page, uint32_t port)
{
    (void)page, (void)port;
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

/* The library may have more connections than stay: some of them have been told to end. */
enum { SERVE_WAITING = 128, SERVE_CONNECTIONS = 64, SERVE_ROOM = 128, SERVE_SECONDS = 10 };

#define SERVE_NO_FRAMES "frame-ancestors 'none'"
#define SERVE_NOTHING "default-src 'none'; " SERVE_NO_FRAMES /* for texts */
#define SERVE_POLICY 1100

typedef struct serve_connection {
    bool used, ending;
    int sock;
    uint64_t heard; /* when it was heard of last; a counter, not a clock */
} serve_connection;

/* One address; all that happens there happens in its thread. */
typedef struct serve_listener {
    server *server;
    struct MHD_Daemon *daemon;
    serve_connection connections[SERVE_ROOM];
    uint32_t count; /* of those that are not ending */
    uint64_t turn;
} serve_listener;

struct server {
    serve_page page;
    serve_listener listeners[2]; /* 127.0.0.1, and ::1 where there is one */
    sigset_t told, before;       /* the signals that end it; those that were blocked before */
    char url[64];
    char policy[SERVE_POLICY];
};

bool serve_possible(void)
{
    return true;
}

const char *serve_url(const server *s)
{
    return s->url;
}

/* ---- connections ---- */

/* Ends the connection that has been silent for longest: the library notices and closes it. */
static void serve_end_silent(serve_listener *listener)
{
    serve_connection *silent = NULL;
    for (uint32_t i = 0; i < SERVE_ROOM; i++) {
        serve_connection *c = &listener->connections[i];
        if (c->used && !c->ending && (!silent || c->heard < silent->heard)) silent = c;
    }
    if (!silent) return;
    shutdown(silent->sock, SHUT_RDWR);
    silent->ending = true;
    listener->count--;
}

static serve_connection *serve_enter(serve_listener *listener, int sock)
{
    uint32_t i = 0;
    while (i < SERVE_ROOM && listener->connections[i].used) i++;
    if (i == SERVE_ROOM) return NULL;
    serve_connection *c = &listener->connections[i];
    *c = (serve_connection){.used = true, .sock = sock, .heard = ++listener->turn};
    if (++listener->count > SERVE_CONNECTIONS) serve_end_silent(listener);
    return c;
}

static void serve_leave(serve_listener *listener, serve_connection *c)
{
    if (!c) return;
    if (!c->ending) listener->count--;
    *c = (serve_connection){0};
}

static void serve_notified(void *user, struct MHD_Connection *connection, void **state,
                           enum MHD_ConnectionNotificationCode what)
{
    serve_listener *listener = user;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (what == MHD_CONNECTION_NOTIFY_CLOSED)
        serve_leave(listener, *state);
    else
        *state = info ? serve_enter(listener, info->connect_fd) : NULL;
}

/* A connection that asks for something is not silent. */
static void serve_hear(serve_listener *listener, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    serve_connection *c = info ? info->socket_context : NULL;
    if (c) c->heard = ++listener->turn;
}

/* ---- answering ---- */

static const struct {
    const char *name, *value;
} serve_headers[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
};

typedef struct serve_answer {
    unsigned status;
    const char *type, *policy, *body;
    size_t size;
} serve_answer;

static enum MHD_Result serve_send(struct MHD_Connection *connection, const serve_answer *answer)
{
    /* The library takes a pointer to what it might change, and does not change it. */
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->size, (void *)(uintptr_t)answer->body, MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    bool ok = MHD_add_response_header(response, "Content-Security-Policy", answer->policy);
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
    return (serve_answer){status, "text/plain; charset=utf-8", SERVE_NOTHING, text, strlen(text)};
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
    if (icon)
        return (serve_answer){.status = MHD_HTTP_NO_CONTENT, .policy = SERVE_NOTHING, .body = ""};
    return (serve_answer){MHD_HTTP_OK, "text/html; charset=utf-8", s->policy, s->page.data,
                          s->page.size};
}

static enum MHD_Result serve_request(void *user, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, const char *upload,
                                     size_t *upload_size, void **state)
{
    (void)version, (void)upload, (void)upload_size, (void)state;
    serve_listener *listener = user;
    serve_hear(listener, connection);
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    serve_answer answer = serve_choose(listener->server, host, url, method);
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

static bool serve_start(server *s, uint32_t which, int sock)
{
    serve_listener *listener = &s->listeners[which];
    listener->server = s;
    listener->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, serve_request, listener,
        MHD_OPTION_LISTEN_SOCKET, sock, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVE_ROOM,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVE_SECONDS, MHD_OPTION_NOTIFY_CONNECTION,
        serve_notified, listener, MHD_OPTION_END);
    if (!listener->daemon) close(sock);
    return listener->daemon;
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
    if (!serve_start(s, 0, sock)) return complain("the server cannot be started"), false;
    sock = serve_listen(AF_INET6, port);
    if (sock >= 0) serve_start(s, 1, sock); /* without it, 127.0.0.1 answers alone */
    return true;
}

/* ---- the life of a server ---- */

static void serve_end(server *s)
{
    for (uint32_t i = 0; i < 2; i++)
        if (s->listeners[i].daemon) MHD_stop_daemon(s->listeners[i].daemon);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    free(s);
}

server *serve_begin(const serve_page *page, uint32_t port)
{
    server *s = calloc(1, sizeof *s);
    if (!s) return complain("there is not enough memory to begin"), NULL;
    s->page = *page;
    snprintf(s->policy, sizeof s->policy, "%s; " SERVE_NO_FRAMES, page->policy);
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
