/* test_service_frames.c: budgets of the path service over many frames, soft ones and hard ones, and
 * what its memory was on the mean.
 */
#include "office.h"
#include <math.h>

static office frames_office(void)
{
    static const char *const specs[] = {"dijkstra"};
    cairn_service_options options = {.ageing = 1000};
    return office_open(scene_blank("blank", 60, 60), plain_context(0), specs, 1, &options);
}

static cairn_frame soft_update(office *o, uint64_t soft, uint64_t work)
{
    cairn_frame frame = {.work = work, .soft = soft};
    CHECK_OK(cairn_service_update(o->service, &frame));
    return frame;
}

/* Requests that can wait never take more than the soft budget; those whose time has come do, and it
 * is paid back. */
static void debts_are_paid_back(void **state)
{
    (void)state;
    office o = frames_office();
    ask(&o, &(cairn_request){.to = 3599});
    for (uint32_t i = 0; i < 5; i++) {
        cairn_frame frame = soft_update(&o, 100, 400);
        assert_true(frame.used == 100 && frame.debt == 0);
    }
    ask(&o, &(cairn_request){.to = 3598, .priority = CAIRN_PRIORITIES - 1});
    cairn_frame frame = soft_update(&o, 100, 400);
    assert_true(frame.used == 400 && frame.debt == 300);
    frame = soft_update(&o, 100, 400); /* the debt is as large as it may be: no more than usual */
    assert_true(frame.used == 100 && frame.debt == 300);
    while (frame.running) { /* once it is answered, the others do nothing until the debt is paid */
        frame = soft_update(&o, 100, 400);
        assert_true(frame.used <= 100);
        if (frame.answered) break;
    }
    uint64_t debt = frame.debt;
    assert_true(debt > 0 && debt <= 300);
    while (frame.debt) {
        frame = soft_update(&o, 100, 400);
        assert_int_equal(frame.used, debt < 100 ? 100 - debt : 0);
        debt = debt < 100 ? 0 : debt - 100;
        assert_int_equal(frame.debt, debt);
    }
    assert_int_equal(soft_update(&o, 100, 400).used, 100);
    cairn_frame wrong = {.work = 5, .soft = 6};
    CHECK_STATUS(cairn_service_update(o.service, &wrong), CAIRN_INVALID);
    office_close(&o);
}

/* Whatever is asked for, a row of frames takes no more than is promised. */
static void soft_budgets_hold_in_the_long_run(void **state)
{
    (void)state;
    enum { FRAMES = 300, SOFT = 120, WORK = 500 };
    office o = frames_office();
    scene_rng rng = {7};
    uint64_t most = 0, saved = 0; /* above the soft budget, of the worst row that ends here */
    bool above = false;
    for (uint32_t i = 0; i < FRAMES; i++) {
        cairn_request request = request_any(&o, &rng);
        request.priority = scene_random(&rng, 2) ? CAIRN_PRIORITIES - 1 : 0;
        if (scene_random(&rng, 6) == 0) ask(&o, &request);
        cairn_frame frame = soft_update(&o, SOFT, WORK);
        assert_true(frame.used <= WORK);
        above |= frame.used > SOFT;
        saved += frame.used;
        saved = saved > SOFT ? saved - SOFT : 0;
        if (saved > most) most = saved;
    }
    assert_true(above && most <= WORK - SOFT && most > (WORK - SOFT) / 2);
    office_close(&o);
}

static void memory_has_a_mean_and_a_variance(void **state)
{
    (void)state;
    enum { FRAMES = 120 };
    office o = frames_office();
    scene_rng rng = {7};
    double bytes[FRAMES], sum = 0, squares = 0;
    cairn_service_use use;
    for (uint32_t i = 0; i < FRAMES; i++) {
        cairn_request request = request_any(&o, &rng);
        ask(&o, &request);
        update(&o, 500);
        use = cairn_service_usage(o.service);
        bytes[i] = (double)use.bytes;
        sum += bytes[i];
    }
    for (uint32_t i = 0; i < FRAMES; i++)
        squares += (bytes[i] - sum / FRAMES) * (bytes[i] - sum / FRAMES);
    assert_true(fabs(use.mean_bytes - sum / FRAMES) < 1e-6 * use.mean_bytes);
    assert_true(squares > 0 &&
                fabs(use.variance_bytes - squares / FRAMES) < 1e-6 * squares / FRAMES);
    office_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debts_are_paid_back),
        cmocka_unit_test(soft_budgets_hold_in_the_long_run),
        cmocka_unit_test(memory_has_a_mean_and_a_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
