/* cases.c: makes every cmocka case a test of its own.
 *
 * Every test program is linked with --wrap=_cmocka_run_group_tests, so that its call of
 * cmocka_run_group_tests arrives here first. With CAIRN_TEST_LIST set the program prints
 * the names of its cases and runs none (the build asks so, and makes one ctest entry of
 * each); with CAIRN_TEST_CASE=NAME it runs that case; otherwise all of them. The test
 * programs themselves know nothing of it.
 *
 * Threads are counted, by --wrap=pthread_create. A case that starts threads fails unless
 * tests/threads.txt names it, so that it runs under the thread sanitizer: ctest says with
 * CAIRN_TEST_THREADS=yes or no whether it does.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static atomic_uint threads_started;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *user);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *user)
{
    atomic_fetch_add(&threads_started, 1);
    return __real_pthread_create(thread, how, run, user);
}

static bool threads_are_listed(const char *name)
{
    const char *listed = getenv("CAIRN_TEST_THREADS");
    if (!listed || strcmp(listed, "yes") == 0 || atomic_load(&threads_started) == 0) return true;
    fprintf(stderr, "%s starts threads: add it to tests/threads.txt\n", name);
    return false;
}

int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const char *only = getenv("CAIRN_TEST_CASE");
    if (getenv("CAIRN_TEST_LIST")) {
        for (size_t i = 0; i < count; i++) {
            if (tests[i].name) printf("case: %s\n", tests[i].name);
        }
        return 0;
    }
    if (!only) return __real__cmocka_run_group_tests(group, tests, count, setup, teardown);
    for (size_t i = 0; i < count; i++) {
        if (tests[i].name && strcmp(tests[i].name, only) == 0) {
            int failed = __real__cmocka_run_group_tests(group, &tests[i], 1, setup, teardown);
            return failed || threads_are_listed(only) ? failed : 1;
        }
    }
    return 0; /* the case belongs to another group of the same program */
}
