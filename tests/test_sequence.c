/* test_sequence.c: programs of calls from seeds, judged by the oracle (sequence.h).
 *
 * CAIRN_SEQUENCE_CALLS=N makes N calls instead of a few, CAIRN_SEQUENCE_SEED=S begins with another
 * seed, and CAIRN_SEQUENCE_PROGRAMS=1 runs just that one. A failure prints the seed and the whole
 * program; CAIRN_SEQUENCE_LOUD=1 prints each call before it is made.
 */
#define _POSIX_C_SOURCE 200809L

#include "sequence.h"

#include <signal.h>
#include <time.h>

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Memory errors and internal checks end the program at once. */
#if defined(__GNUC__) && defined(__linux__)
extern void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));
#endif

static sequence_sums sums; /* of the programs that have ended */

static void say_what_failed(void)
{
    if (!sequence_running()) return;
    sequence_print();
    fprintf(stderr, "the programs before it: %llu, with %llu calls\n",
            (unsigned long long)sums.programs, (unsigned long long)sums.calls);
}

static void on_abort(int signal_number)
{
    signal(signal_number, SIG_DFL);
    say_what_failed();
    raise(signal_number);
}

static int set_up(void **state)
{
    (void)state;
    sequence_be_loud(number_of("CAIRN_SEQUENCE_LOUD", 0));
    signal(SIGABRT, on_abort);
#if defined(__GNUC__) && defined(__linux__)
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(say_what_failed);
#endif
    return 0;
}

/* A program that is still there has failed. */
static int tear_down(void **state)
{
    (void)state;
    say_what_failed();
    sequence_forget();
    return 0;
}

static void report(uint64_t seed)
{
    printf("sequence: %llu programs, %llu calls, %llu answers judged, %llu paths; next seed %llu\n",
           (unsigned long long)sums.programs, (unsigned long long)sums.calls,
           (unsigned long long)sums.answers, (unsigned long long)sums.paths,
           (unsigned long long)seed);
    fflush(stdout);
}

static void programs_of_calls_are_answered_as_the_oracle_does(void **state)
{
    (void)state;
    enum { FEW = 120000, REPORT = 250000 };
    uint64_t calls = number_of("CAIRN_SEQUENCE_CALLS", test_times(FEW, FEW / 8));
    uint64_t programs = number_of("CAIRN_SEQUENCE_PROGRAMS", UINT64_MAX);
    uint64_t seed = number_of("CAIRN_SEQUENCE_SEED", 1), told = 0;
    sums = (sequence_sums){0};
    while (sums.calls < calls && sums.programs < programs) {
        sequence_run_seed(seed++, &sums);
        if (sums.calls / REPORT == told) continue;
        told = sums.calls / REPORT;
        report(seed);
    }
    report(seed);
    /* most calls do something */
    assert_true(programs != UINT64_MAX || sums.answers > sums.calls / 4);
}

/* The same seed is the same program. */
static void a_program_runs_the_same_twice(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_times(40, 10); seed++) {
        sequence_sums first = {0}, second = {0};
        sequence_run_seed(seed, &first);
        sequence_run_seed(seed, &second);
        assert_memory_equal(&first, &second, sizeof first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(programs_of_calls_are_answered_as_the_oracle_does, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_program_runs_the_same_twice, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
