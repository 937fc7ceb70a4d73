/* reproduce_journal.c: records in files, and files that appear whole (see reproduce.h).
 *
 * The journal is a folder: `settings` says what the run was asked for, and each part that is done
 * has a file TABLE.MAP.part; a long one that is begun keeps what it has in TABLE.MAP.begun.
 * Numbers have 17 digits, so that what is read is what was written. A part names the run that it
 * belongs to by a hash of settings, table and series, and ends with a hash of all that stands
 * before: another run's parts and damaged ones are refused. It also has a hash of the map and its
 * problems: if those have changed it is measured again. Every file is written under another name
 * and then renamed. `lock` is locked while a run is at work in the folder; the system takes the
 * lock away with the process, however that ends.
 */
#define _POSIX_C_SOURCE 200809L
#include "reproduce.h"

#include "text.h"
#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_HEAD "cairn-reproduce 4\n"

/* ---- files that appear whole ---- */

static void journal_path(const reproduce_run *run, const char *name, char out[REPRODUCE_PATH])
{
    snprintf(out, REPRODUCE_PATH, "%s%s%s", run->options->output, name[0] ? "/" : "", name);
}

bool reproduce_is_there(const reproduce_run *run, const char *name)
{
    char path[REPRODUCE_PATH];
    struct stat info;
    journal_path(run, name, path);
    return !stat(path, &info);
}

FILE *reproduce_create(const reproduce_run *run, const char *name)
{
    char path[REPRODUCE_PATH];
    FILE *file = tmpfile();
    if (file) return file;
    journal_path(run, name, path);
    complain("%s: cannot be written: %s", path, strerror(errno));
    return NULL;
}

bool reproduce_finish(const reproduce_run *run, FILE *file, const char *name)
{
    char path[REPRODUCE_PATH];
    journal_path(run, name, path);
    errno = 0;
    bool ok = !ferror(file) && !fflush(file);
    long size = ok ? ftell(file) : -1;
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    ok = text && fread(text, 1, (size_t)size, file) == (size_t)size;
    cairn_error error = {0};
    if (ok) error.status = cairn_file_write(path, (cairn_bytes){text, (size_t)size}, &error);
    if (error.status) world_complain(path, &error);
    if (!ok) complain("%s: cannot be written: %s", path, errno ? strerror(errno) : "it was lost");
    free(text);
    fclose(file);
    return ok && !error.status;
}

/* ---- the folder ---- */

/* The folders above one; if they cannot be made, nor can it. */
static void journal_parents(char *path)
{
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(path, 0777);
        *at = '/';
    }
}

static bool journal_folder(const reproduce_run *run, const char *name)
{
    char path[REPRODUCE_PATH];
    journal_path(run, name, path);
    journal_parents(path);
    if (!mkdir(path, 0777)) return true;
    struct stat info;
    if (errno == EEXIST && !stat(path, &info) && S_ISDIR(info.st_mode)) return true;
    complain("%s: no such folder can be made: %s", path,
             errno == EEXIST ? "there is a file of that name" : strerror(errno));
    return false;
}

static bool journal_load(const char *path, cairn_file *out, cairn_context *context, bool *there)
{
    struct stat info;
    *there = !stat(path, &info);
    if (!*there) return true;
    cairn_error error = {0};
    error.status = cairn_file_read(context, path, 1u << 20, out, &error);
    if (error.status) world_complain(path, &error);
    return !error.status;
}

/* Is it TABLE.MAP and this ending? */
static bool journal_is_of_map(const char *name, const char *ending)
{
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        size_t head = strlen(reproduce_tables[i]->name);
        if (!strncmp(name, reproduce_tables[i]->name, head) && name[head] == '.')
            return text_ends_with(name, ending);
    }
    return false;
}

static bool journal_is_part(const char *name)
{
    return journal_is_of_map(name, ".part") || journal_is_of_map(name, ".begun") ||
           !strcmp(name, "settings");
}

static bool journal_is_lines(const char *name)
{
    return journal_is_of_map(name, ".csv");
}

/* Takes the files that a run writes out of one of its folders, whole or not, and nothing else that
 * may lie there. */
static void journal_clear_folder(const reproduce_run *run, const char *which,
                                 bool ours(const char *name))
{
    char path[REPRODUCE_PATH], name[REPRODUCE_PATH];
    journal_path(run, which, path);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!ours(entry->d_name)) continue;
        int whole = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (whole > 0 && (size_t)whole < sizeof name) unlink(name);
    }
    if (folder) closedir(folder);
}

/* --fresh */
static void journal_clear(const reproduce_run *run)
{
    journal_clear_folder(run, "", reproduce_is_ours);
    journal_clear_folder(run, "journal", journal_is_part);
    journal_clear_folder(run, "problems", journal_is_lines);
}

/* Two runs in one folder would write over each other's files. */
static bool journal_lock(reproduce_run *run)
{
    char path[REPRODUCE_PATH];
    journal_path(run, "journal/lock", path);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    run->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (run->lock >= 0 && fcntl(run->lock, F_SETLK, &lock) != -1) return true;
    if (run->lock >= 0 && (errno == EACCES || errno == EAGAIN))
        complain("%s: another `cairn reproduce` is at work in this folder; wait for it, or choose "
                 "another folder",
                 run->options->output);
    else
        complain("%s: cannot be locked: %s", path, strerror(errno));
    return false;
}

void journal_close(reproduce_run *run)
{
    if (run->lock > 0) close(run->lock);
    run->lock = 0;
}

/* An index.md that this command did not write is not ours to replace. */
static bool journal_may_write(const reproduce_run *run)
{
    static const char mark[] = "<!-- cairn reproduce -->";
    char path[REPRODUCE_PATH], head[sizeof mark] = "";
    journal_path(run, "index.md", path);
    FILE *file = fopen(path, "rb");
    if (!file) return true;
    size_t got = fread(head, 1, sizeof mark - 1, file);
    fclose(file);
    if (got == sizeof mark - 1 && !memcmp(head, mark, got)) return true;
    complain("%s: was not written by `cairn reproduce`; choose another folder", path);
    return false;
}

/* The first line in which two settings differ. */
static bool journal_other_run(const reproduce_run *run, const char *path, const char *old)
{
    const char *now = run->settings;
    for (;;) {
        size_t a = strcspn(old, "\n"), b = strcspn(now, "\n");
        if (a != b || memcmp(old, now, a) != 0) {
            complain("%s: the folder holds the results of another run (\"%.*s\", now \"%.*s\"); "
                     "choose another "
                     "folder, or start from scratch with --fresh",
                     path, (int)(a < 80 ? a : 80), old, (int)b, now);
            return false;
        }
        if (!old[a] || !now[b]) break;
        old += a + 1;
        now += b + 1;
    }
    complain("%s: the folder holds the results of another run; choose another folder, or start "
             "from scratch with --fresh",
             path);
    return false;
}

static bool journal_write_settings(const reproduce_run *run)
{
    FILE *file = reproduce_create(run, "journal/settings");
    if (!file) return false;
    fputs(run->settings, file);
    return reproduce_finish(run, file, "journal/settings");
}

bool journal_open(reproduce_run *run)
{
    char path[REPRODUCE_PATH];
    if (strlen(run->options->output) > REPRODUCE_PATH - 4 * REPRODUCE_NAME)
        return complain("the name of the folder is too long"), false;
    if (!journal_folder(run, "") || !journal_may_write(run) || !journal_folder(run, "journal") ||
        (run->options->problems && !journal_folder(run, "problems")))
        return false;
    if (!journal_lock(run)) return false;
    if (run->options->fresh) journal_clear(run);
    journal_path(run, "journal/settings", path);
    cairn_context *context = world_context(1);
    cairn_file old = {0};
    bool there = false, ok = context && journal_load(path, &old, context, &there);
    if (ok && there && strcmp(old.data, run->settings) != 0)
        ok = journal_other_run(run, path, old.data);
    cairn_file_free(context, &old);
    cairn_context_destroy(context);
    return ok && (there || journal_write_settings(run));
}

/* ---- parts ---- */

uint64_t reproduce_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Of everything but the map that decides what a part's numbers are. */
static uint64_t journal_identity(const reproduce_run *run, const reproduce_part *part)
{
    uint32_t table = reproduce_table_number(part->table);
    uint64_t hash = reproduce_hash(REPRODUCE_HASH, run->settings, strlen(run->settings));
    hash = reproduce_hash(hash, part->table->name, strlen(part->table->name) + 1);
    hash = reproduce_hash(hash, part->map, strlen(part->map) + 1);
    for (uint32_t i = 0; i < run->series_count[table]; i++) {
        const char *spec = run->series[table][i].spec;
        hash = reproduce_hash(hash, spec ? spec : "-", spec ? strlen(spec) + 1 : 2);
    }
    char text[32];
    int length =
        snprintf(text, sizeof text, "%u", part->set ? part->set->problems : part->table->problems);
    if (part->set && part->set->longest)
        length = snprintf(text, sizeof text, "%u-%u", part->set->problems, part->set->longest);
    return reproduce_hash(hash, text, (size_t)length);
}

static void journal_name(const reproduce_part *part, bool whole, char out[REPRODUCE_NAME * 3])
{
    snprintf(out, REPRODUCE_NAME * 3, "journal/%s.%s.%s", part->table->name, part->map,
             whole ? "part" : "begun");
}

void reproduce_lines_name(const reproduce_part *part, char out[REPRODUCE_NAME * 3])
{
    snprintf(out, REPRODUCE_NAME * 3, "problems/%s.%s.csv", part->table->name, part->map);
}

static int journal_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool journal_list(reproduce_run *run, const reproduce_table *table,
                  bool each(reproduce_run *run, const reproduce_table *table, const char *map))
{
    char path[REPRODUCE_PATH], (*names)[REPRODUCE_NAME] = NULL;
    size_t head = strlen(table->name) + 1, tail = strlen(".part"), count = 0;
    journal_path(run, "journal", path);
    DIR *folder = opendir(path);
    bool ok = true;
    for (struct dirent *entry; ok && folder && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        size_t length = strlen(name);
        if (length <= head + tail || length - head - tail >= REPRODUCE_NAME ||
            name[head - 1] != '.' || memcmp(name, table->name, head - 1) != 0 ||
            !text_ends_with(name, ".part"))
            continue;
        void *more = realloc(names, (count + 1) * sizeof *names);
        ok = more != NULL;
        if (!ok) break;
        names = more;
        snprintf(names[count++], REPRODUCE_NAME, "%.*s", (int)(length - head - tail), name + head);
    }
    if (folder) closedir(folder);
    if (!ok) complain("there is not enough memory for the list of maps");
    if (count) qsort(names, count, sizeof *names, journal_compare);
    for (size_t i = 0; ok && i < count; i++) ok = each(run, table, names[i]);
    free(names);
    return ok;
}

typedef struct journal_text {
    char *data;
    size_t length, capacity;
} journal_text;

static void journal_put_cell(journal_text *text, uint32_t series, uint32_t metric,
                             const statistic *s)
{
    int length =
        snprintf(text->data + text->length, text->capacity - text->length,
                 "cell %u %s %u %.17g %.17g %.17g %.17g\n", series, reproduce_metric_names[metric],
                 s->count, s->sum, s->squares, s->least, s->most);
    text->length += (size_t)length;
}

static bool journal_put(const reproduce_run *run, const reproduce_part *part, bool whole,
                        uint64_t fingerprint)
{
    enum { LINE = 192 };
    journal_text text = {.capacity = LINE * (4 + (size_t)REPRODUCE_SERIES * METRIC_COUNT)};
    text.data = malloc(text.capacity);
    char name[REPRODUCE_NAME * 3];
    journal_name(part, whole, name);
    FILE *file = text.data ? reproduce_create(run, name) : NULL;
    if (!file) {
        if (!text.data) complain("there is not enough memory to keep results");
        free(text.data);
        return false;
    }
    text.length = (size_t)snprintf(
        text.data, text.capacity, JOURNAL_HEAD "part %s %s\nrun %016llx\ndata %016llx\n",
        part->table->name, part->map, (unsigned long long)journal_identity(run, part),
        (unsigned long long)fingerprint);
    for (uint32_t i = 0; i < REPRODUCE_SERIES; i++)
        for (uint32_t m = 0; m < METRIC_COUNT; m++)
            if (part->record.cells[i][m].count)
                journal_put_cell(&text, i, m, &part->record.cells[i][m]);
    fwrite(text.data, 1, text.length, file);
    fprintf(file, "end %016llx\n",
            (unsigned long long)reproduce_hash(REPRODUCE_HASH, text.data, text.length));
    free(text.data);
    return reproduce_finish(run, file, name);
}

static void journal_forget(const reproduce_run *run, const reproduce_part *part)
{
    char name[REPRODUCE_NAME * 3], path[REPRODUCE_PATH];
    journal_name(part, false, name);
    journal_path(run, name, path);
    unlink(path);
}

bool journal_write(const reproduce_run *run, const reproduce_part *part, uint64_t fingerprint)
{
    bool ok = journal_put(run, part, true, fingerprint);
    if (ok) journal_forget(run, part);
    return ok;
}

bool journal_keep(const reproduce_run *run, const reproduce_part *part, uint64_t fingerprint)
{
    return journal_put(run, part, false, fingerprint);
}

/* ---- reading ---- */

/* Takes a line off the text; false at its end, or if the line is not ended. */
static bool journal_line(const char **at, const char *end, const char **line, size_t *length)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    if (!stop) return false;
    *line = *at;
    *length = (size_t)(stop - *at);
    *at = stop + 1;
    return true;
}

static uint32_t journal_metric(const char *name)
{
    uint32_t m = 0;
    while (m < METRIC_COUNT && strcmp(reproduce_metric_names[m], name) != 0) m++;
    return m;
}

static bool journal_cell(const char *line, size_t length, reproduce_record *out)
{
    char text[256], name[32];
    unsigned series, count;
    statistic s = {0};
    int used = 0;
    if (length >= sizeof text) return false;
    memcpy(text, line, length);
    text[length] = 0;
    if (sscanf(text, "cell %2u %31s %9u %lf %lf %lf %lf%n", &series, name, &count, &s.sum,
               &s.squares, &s.least, &s.most, &used) != 7 ||
        (size_t)used != length)
        return false;
    uint32_t metric = journal_metric(name);
    if (series >= REPRODUCE_SERIES || metric == METRIC_COUNT || !count || !isfinite(s.sum) ||
        !isfinite(s.squares) || !isfinite(s.least) || !isfinite(s.most))
        return false;
    s.count = count;
    out->cells[series][metric] = s;
    return true;
}

/* The line "data HASH". */
static bool journal_data(const char *line, size_t length, uint64_t *out)
{
    char text[32];
    unsigned long long hash;
    int used = 0;
    if (length >= sizeof text) return false;
    memcpy(text, line, length);
    text[length] = 0;
    if (sscanf(text, "data %16llx%n", &hash, &used) != 1 || (size_t)used != length) return false;
    *out = hash;
    return true;
}

/* NULL, or what is wrong, in which line. */
static const char *journal_parse(const reproduce_run *run, const reproduce_part *part,
                                 const char *data, size_t size, reproduce_record *out,
                                 uint64_t *fingerprint, uint32_t *number)
{
    char wanted[2][REPRODUCE_NAME * 3], last[32];
    snprintf(wanted[0], sizeof wanted[0], "part %s %s", part->table->name, part->map);
    snprintf(wanted[1], sizeof wanted[1], "run %016llx",
             (unsigned long long)journal_identity(run, part));
    const char *at = data, *end = data + size, *line;
    size_t length;
    for (*number = 1; journal_line(&at, end, &line, &length); ++*number) {
        if (*number == 1 &&
            (length != strlen(JOURNAL_HEAD) - 1 || memcmp(line, JOURNAL_HEAD, length) != 0))
            return "this is not a journal of this version of `cairn reproduce`";
        if (*number == 2 && (length != strlen(wanted[0]) || memcmp(line, wanted[0], length) != 0))
            return "this is the result of something else";
        if (*number == 3 && (length != strlen(wanted[1]) || memcmp(line, wanted[1], length) != 0))
            return "this is the result of another run";
        if (*number == 4 && !journal_data(line, length, fingerprint))
            return "this line is malformed: the file is damaged";
        if (*number <= 4) continue;
        if (length > 3 && !memcmp(line, "end", 3)) {
            snprintf(
                last, sizeof last, "end %016llx",
                (unsigned long long)reproduce_hash(REPRODUCE_HASH, data, (size_t)(line - data)));
            bool right = length == strlen(last) && !memcmp(line, last, length) && at == end;
            return right ? NULL : "the checksum is wrong: the file is damaged";
        }
        if (!journal_cell(line, length, out)) return "this line is malformed: the file is damaged";
    }
    return "the file ends too early: it is damaged";
}

/* Is a record that was read that of the map as it is now, with everything that is asked for? */
static bool journal_is_current(const reproduce_run *run, reproduce_part *part, uint64_t fingerprint)
{
    char lines[REPRODUCE_NAME * 3];
    uint64_t now;
    part->done = part->recorded;
    if (part->recorded) return true;
    if (!reproduce_fingerprint(run, part, &now)) return false;
    reproduce_lines_name(part, lines);
    part->done =
        now == fingerprint && (!run->options->problems || part->table->run != reproduce_compare ||
                               reproduce_is_there(run, lines));
    if (!part->done) {
        char path[REPRODUCE_PATH];
        journal_path(run, lines, path);
        unlink(path); /* of what was there before */
        memset(&part->record, 0, sizeof part->record);
    }
    return true;
}

/* False after a complaint. */
static bool journal_get(const reproduce_run *run, reproduce_part *part, bool whole, bool *there,
                        uint64_t *fingerprint)
{
    char name[REPRODUCE_NAME * 3], path[REPRODUCE_PATH];
    journal_name(part, whole, name);
    journal_path(run, name, path);
    cairn_context *context = world_context(1);
    cairn_file file = {0};
    bool ok = context && journal_load(path, &file, context, there);
    if (ok && *there) {
        uint32_t line;
        const char *wrong =
            journal_parse(run, part, file.data, file.size, &part->record, fingerprint, &line);
        if (wrong)
            complain("%s:%u: %s (remove it, or start from scratch with --fresh)", path, line,
                     wrong);
        ok = !wrong;
    }
    cairn_file_free(context, &file);
    cairn_context_destroy(context);
    return ok;
}

bool journal_read(const reproduce_run *run, reproduce_part *part)
{
    bool there = false;
    uint64_t fingerprint = 0;
    if (!journal_get(run, part, true, &there, &fingerprint)) return false;
    return !there || journal_is_current(run, part, fingerprint);
}

bool journal_recall(const reproduce_run *run, reproduce_part *part, uint64_t fingerprint)
{
    bool there = false;
    uint64_t kept = fingerprint;
    if (!journal_get(run, part, false, &there, &kept)) return false;
    if (kept != fingerprint) memset(&part->record, 0, sizeof part->record); /* of another map */
    return true;
}
