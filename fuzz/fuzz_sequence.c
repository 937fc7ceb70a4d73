/* fuzz_sequence.c: any bytes as a program of calls: a small world, planners, searches and agents,
 * edited, asked, saved, loaded and destroyed in any order (tests/sequence.h). Every answer is
 * compared with the oracle. When a check fails the program is printed, call by call; with
 * CAIRN_SEQUENCE_LOUD in the environment each call is, before it is made.
 *
 * tests/test_sequence.c runs programs from seeds instead of bytes.
 */
#include "sequence.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A check that fails ends the process; a program that is still there was not finished. */
static void say_what_failed(void)
{
    if (sequence_running()) sequence_print();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    sequence_sums sums = {0};
    if (!ready) {
        ready = true;
        sequence_be_loud(getenv("CAIRN_SEQUENCE_LOUD") != NULL);
        atexit(say_what_failed);
    }
    sequence_run_bytes(data, size, &sums);
    return 0;
}
