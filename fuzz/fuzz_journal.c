/* fuzz_journal.c: any bytes as a part of the journal of `cairn reproduce`. The reader belongs to
 * program/reproduce_journal.c alone, so that file is part of this one; what it asks of the rest of
 * the program is answered here.
 *
 * The first byte says whether the name of the run and the checksum at the end are made right: else
 * no change would ever get past them. What is refused must say why; what is accepted holds numbers
 * that can be used.
 */
#include "../program/reproduce_journal.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the rest of the program ---- */

static const reproduce_table table = {.name = "table", .title = "A table"};
const reproduce_table *const reproduce_tables[] = {&table};
const uint32_t reproduce_table_count = 1;

uint32_t reproduce_table_number(const reproduce_table *which)
{
    (void)which;
    return 0;
}

void complain(const char *format, ...)
{
    (void)format;
}

int world_complain(const char *name, const cairn_error *error)
{
    (void)name, (void)error;
    return 1;
}

cairn_context *world_context(uint32_t threads)
{
    (void)threads;
    return NULL;
}

bool text_ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && !strcmp(text + length - tail, ending);
}

bool reproduce_is_ours(const char *name)
{
    (void)name;
    return false;
}

bool reproduce_fingerprint(const reproduce_run *run, const reproduce_part *part, uint64_t *out)
{
    (void)run, (void)part;
    *out = 0;
    return true;
}

bool reproduce_compare(reproduce_job *job)
{
    (void)job;
    return false;
}

/* ---- the reader ---- */

static void require(bool condition)
{
    if (!condition) abort();
}

static void check_record(const reproduce_record *record)
{
    for (uint32_t i = 0; i < REPRODUCE_SERIES; i++) {
        for (uint32_t m = 0; m < METRIC_COUNT; m++) {
            const statistic *s = &record->cells[i][m];
            require(isfinite(s->sum) && isfinite(s->squares) && isfinite(s->least) &&
                    isfinite(s->most));
        }
    }
}

/* With the right run in front and the right checksum at the end. */
static char *sealed(const reproduce_run *run, const reproduce_part *part, const uint8_t *data,
                    size_t size, size_t *length)
{
    enum { ROOM = 256 };
    char *text = malloc(size + ROOM);
    require(text != NULL);
    *length =
        (size_t)snprintf(text, ROOM, JOURNAL_HEAD "part %s %s\nrun %016llx\n", part->table->name,
                         part->map, (unsigned long long)journal_identity(run, part));
    if (size) memcpy(text + *length, data, size);
    *length += size;
    *length += (size_t)snprintf(text + *length, 32, "end %016llx\n",
                                (unsigned long long)reproduce_hash(REPRODUCE_HASH, text, *length));
    return text;
}

static char *as_it_is(const uint8_t *data, size_t size, size_t *length)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size) memcpy(text, data, size);
    *length = size;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const reproduce_options options = {.output = "."};
    static reproduce_run run = {.options = &options, .settings = "every 1\n"};
    static reproduce_part part = {.table = &table, .map = "map"};
    if (!size) return 0;
    reproduce_record *record = calloc(1, sizeof *record);
    uint64_t fingerprint = 0;
    uint32_t line = 0;
    size_t length;
    char *text = data[0] & 1 ? sealed(&run, &part, data + 1, size - 1, &length)
                             : as_it_is(data + 1, size - 1, &length);
    require(record != NULL);
    const char *wrong = journal_parse(&run, &part, text, length, record, &fingerprint, &line);
    require(!wrong || wrong[0]);
    require(line >= 1 && line <= length + 1);
    check_record(record);
    free(text);
    free(record);
    return 0;
}
