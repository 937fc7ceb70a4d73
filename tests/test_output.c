/* test_output.c: a file that is written appears whole or not at all: on a full disk, beside other
 * writers, through links, where nothing may be written, and when the writer is killed.
 */
#define _POSIX_C_SOURCE 200809L
#define FOLDER "test_output"
#include "folder.h"
#include "io/output.h"
#include "scenes.h"

#include <cairn/io.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { LARGE = 100000, LIMIT = 20000 };

static int folder_empty(void **state)
{
    (void)state;
    folder_files(true);
    return 0;
}

static void put(const char *name, const char *text)
{
    cairn_error error = {0};
    CHECK(cairn_file_write(in_folder(name), (cairn_bytes){text, strlen(text)}, &error) == CAIRN_OK,
          "%s", error.text);
}

static void holds(const char *name, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(in_folder(name), "rb");
    CHECK(file, "no %s", name);
    size_t size = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    CHECK(size == strlen(text) && !memcmp(found, text, size), "%s: \"%s\"", name, found);
}

typedef cairn_status opener(crn_io_output *output, const char *name, cairn_error *error);
static opener *const openers[] = {crn_io_output_open, crn_io_output_open_named};

/* ---- what it is written over ---- */

static void the_files_of_others_stay(void **state)
{
    (void)state;
    put("a.cairn.tmp", "mine");
    CHECK(!symlink("elsewhere", in_folder("a.cairn.0.tmp")), "no link");
    put("a.cairn", "first");
    put("a.cairn", "second");
    holds("a.cairn", "second");
    holds("a.cairn.tmp", "mine");
    CHECK(access(in_folder("elsewhere"), F_OK) && folder_files(false) == 3, "%u files",
          folder_files(false));
}

static void links_stay_links(void **state)
{
    (void)state;
    struct stat about;
    put("real", "old");
    CHECK(!symlink("real", in_folder("one")) && !symlink(in_folder("one"), in_folder("two")),
          "no links");
    CHECK(!symlink("later", in_folder("none")), "no links");
    put("two", "new");
    holds("real", "new");
    put("none", "there");
    holds("later", "there");
    CHECK(!lstat(in_folder("two"), &about) && S_ISLNK(about.st_mode), "a link was replaced");
    CHECK(!symlink("ring", in_folder("ring")), "no links");
    cairn_error error = {0};
    CHECK_STATUS(cairn_file_write(in_folder("ring"), (cairn_bytes){"x", 1}, &error),
                 CAIRN_FILE_ERROR);
    CHECK(folder_files(false) == 6, "%u files", folder_files(false));
}

/* Somebody who knows the name beforehand has put a link there: it is neither followed nor taken. */
static void a_link_of_the_temporary_name_is_not_followed(void **state)
{
    (void)state;
    char planted[2][64];
    for (int i = 0; i < 2; i++) {
        snprintf(planted[i], sizeof planted[i], "a.%ld-%d.tmp", (long)getpid(), i);
        CHECK(!symlink("victim", in_folder(planted[i])), "no link");
    }
    put("victim", "precious");
    for (uint32_t i = 0; i < LENGTH(openers); i++) {
        crn_io_output output;
        CHECK_OK(openers[i](&output, in_folder("a"), NULL));
        CHECK_OK(crn_io_output_write(&output, "new", 3));
        CHECK_OK(crn_io_output_close(&output, NULL));
        struct stat about;
        CHECK(!lstat(in_folder("a"), &about) && S_ISREG(about.st_mode), "no file");
        holds("a", "new");
        holds("victim", "precious");
        CHECK(folder_files(false) == 4, "%u files", folder_files(false));
    }
}

static void permissions_stay(void **state)
{
    (void)state;
    struct stat about;
    mode_t mask = umask(022);
    put("a", "old");
    CHECK(!stat(in_folder("a"), &about) && (about.st_mode & 0777) == 0644, "%o", about.st_mode);
    CHECK(!chmod(in_folder("a"), 0600), "chmod");
    put("a", "new");
    CHECK(!stat(in_folder("a"), &about) && (about.st_mode & 0777) == 0600, "%o", about.st_mode);
    umask(mask);
}

/* Runs in a child that is nobody, if we are root; ends with 0 if nothing could be written. */
static void refused(const char *name)
{
    pid_t child = fork();
    if (!child) {
        if (!geteuid() && (setgid(65534) || setuid(65534))) _exit(0);
        cairn_error error = {0};
        cairn_status status = cairn_file_write(name, (cairn_bytes){"x", 1}, &error);
        _exit(status == CAIRN_FILE_ERROR && strstr(error.text, "cannot be written") ? 0 : 1);
    }
    int how;
    CHECK(waitpid(child, &how, 0) == child && WIFEXITED(how) && !WEXITSTATUS(how), "%s", name);
}

static void what_must_not_be_written_is_not(void **state)
{
    (void)state;
    put("a", "old");
    CHECK(!chmod(in_folder("a"), 0444) && !chmod(folder, 0777), "chmod");
    refused(in_folder("a"));
    CHECK(!chmod(in_folder("a"), 0666) && !chmod(folder, 0555), "chmod");
    refused(in_folder("a"));
    refused(in_folder("b"));
    CHECK(!chmod(folder, 0700), "chmod");
    holds("a", "old");
    CHECK(folder_files(false) == 1, "%u files", folder_files(false));
}

static void names_may_be_as_long_as_the_system_lets_them(void **state)
{
    (void)state;
    char name[256] = "";
    memset(name, 'n', 255);
    put(name, "long");
    holds(name, "long");
    static char path[5000];
    memset(path, 'p', sizeof path - 1);
    cairn_error error = {0};
    CHECK_STATUS(cairn_file_write(path, (cairn_bytes){"x", 1}, &error), CAIRN_FILE_ERROR);
}

/* ---- what can happen meanwhile ---- */

/* A disk that is full, as far as files of more than LIMIT bytes go. */
static void fill_disk(bool full)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = full ? LIMIT : limit.rlim_max;
    signal(SIGXFSZ, full ? SIG_IGN : SIG_DFL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void on_a_full_disk_the_old_file_stays(void **state)
{
    (void)state;
    static char large[LARGE];
    put("a", "old");
    for (uint32_t i = 0; i < LENGTH(openers); i++) {
        crn_io_output output;
        cairn_error error = {0};
        fill_disk(true);
        CHECK_OK(openers[i](&output, in_folder("a"), &error));
        crn_io_output_write(&output, large, sizeof large);
        cairn_status status = crn_io_output_close(&output, &error);
        fill_disk(false);
        CHECK_STATUS(status, CAIRN_FILE_ERROR);
        CHECK(strstr(error.text, "cannot be written"), "%s", error.text);
        holds("a", "old");
        CHECK(folder_files(false) == 1, "%u files", folder_files(false));
    }
}

static void so_do_grids_of_every_kind(void **state)
{
    static const char *const names[] = {"a.map", "a.txt", "a.png", "a.cairn"};
    scene *s = scene_noise("large", 900, 900, 40, 1);
    cairn_grid *grid;
    CHECK_OK(scene_grid(s, *state, &grid));
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        put(names[i], "old");
        cairn_error error = {0};
        fill_disk(true);
        cairn_status status = cairn_grid_save(grid, in_folder(names[i]), &error);
        fill_disk(false);
        CHECK(status == CAIRN_FILE_ERROR, "%s: %s", names[i], cairn_status_text(status));
        holds(names[i], "old");
        CHECK(folder_files(false) == i + 1, "%u files", folder_files(false));
    }
    folder_files(true);
    cairn_grid_destroy(grid);
    scene_destroy(s);
}

/* Writes nothing but one character, more of it than goes out at once. */
static bool write_only(opener *open, const char *name, char what)
{
    char piece[5000];
    crn_io_output output;
    memset(piece, what, sizeof piece);
    if (open(&output, name, NULL)) return false;
    for (uint32_t i = 0; i < 4; i++) crn_io_output_write(&output, piece, sizeof piece);
    return !crn_io_output_close(&output, NULL);
}

static pid_t start_writer(opener *open, const char *name, char what)
{
    pid_t child = fork();
    if (child) return child;
    for (uint32_t i = 0; i < 60; i++)
        if (!write_only(open, name, what)) _exit(1);
    _exit(0);
}

/* True if it is whole, of one writer. */
static bool is_whole(const char *name)
{
    static char text[30000];
    FILE *file = fopen(name, "rb");
    if (!file) return false;
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    for (size_t i = 1; i < size; i++)
        if (text[i] != text[0]) return false;
    return size == 20000;
}

static void of_two_writers_one_comes_last(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LENGTH(openers); i++) {
        CHECK(write_only(openers[i], in_folder("a"), 'a'), "not written");
        pid_t writers[] = {start_writer(openers[i], in_folder("a"), 'a'),
                           start_writer(openers[i], in_folder("a"), 'b')};
        uint32_t running = LENGTH(writers), looks = 0;
        for (int how; running; looks++) {
            CHECK(is_whole(in_folder("a")), "a mixture");
            pid_t ended = waitpid(-1, &how, WNOHANG);
            if (ended != writers[0] && ended != writers[1]) continue;
            CHECK(WIFEXITED(how) && !WEXITSTATUS(how), "a writer failed");
            running--;
        }
        CHECK(looks > 2 && folder_files(false) == 1, "%u files", folder_files(false));
    }
}

/* A writer that is killed in the middle. */
static void who_is_killed_leaves_the_old_file(void **state)
{
    (void)state;
    put("a", "old");
    for (uint32_t i = 0; i < LENGTH(openers); i++) {
        int ready[2];
        assert_int_equal(pipe(ready), 0);
        pid_t child = fork();
        if (!child) {
            static char large[LARGE];
            crn_io_output output;
            if (openers[i](&output, in_folder("a"), NULL)) _exit(1);
            crn_io_output_write(&output, large, sizeof large);
            if (write(ready[1], output.nameless ? "n" : "t", 1) == 1) pause();
            _exit(1);
        }
        char way;
        assert_int_equal(read(ready[0], &way, 1), 1);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(ready[0]), close(ready[1]);
        holds("a", "old");
        uint32_t left = folder_files(false);
        CHECK(left == (way == 'n' ? 1 : 2), "%u files", left);
        folder_files(true);
        put("a", "old");
    }
}

static void what_is_dropped_was_never_there(void **state)
{
    (void)state;
    put("a", "old");
    for (uint32_t i = 0; i < LENGTH(openers); i++) {
        crn_io_output output;
        CHECK_OK(openers[i](&output, in_folder("a"), NULL));
        CHECK_OK(crn_io_output_write(&output, "new", 3));
        crn_io_output_drop(&output);
        holds("a", "old");
        CHECK(folder_files(false) == 1, "%u files", folder_files(false));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define IN_FOLDER(test) cmocka_unit_test_teardown(test, folder_empty)
        IN_FOLDER(the_files_of_others_stay),
        IN_FOLDER(links_stay_links),
        IN_FOLDER(a_link_of_the_temporary_name_is_not_followed),
        IN_FOLDER(permissions_stay),
        IN_FOLDER(what_must_not_be_written_is_not),
        IN_FOLDER(names_may_be_as_long_as_the_system_lets_them),
        IN_FOLDER(on_a_full_disk_the_old_file_stays),
        cmocka_unit_test_setup_teardown(so_do_grids_of_every_kind, context_set_up,
                                        context_tear_down),
        IN_FOLDER(of_two_writers_one_comes_last),
        IN_FOLDER(who_is_killed_leaves_the_old_file),
        IN_FOLDER(what_is_dropped_was_never_there),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
