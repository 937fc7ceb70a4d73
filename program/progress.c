/* progress.c: the progress line (see progress.h). */
#include "progress.h"

#include "text.h"

#include <stdio.h>
#include <string.h>

enum { PROGRESS_BAR = 24, PROGRESS_MILLISECONDS = 100 };

void progress_begin(progress *p, const char *label, uint64_t total)
{
    p->on = text_terminal(stderr);
    text_shown(label, p->label, sizeof p->label);
    p->total = total;
    p->begun = text_clock();
    atomic_flag_clear(&p->busy);
    atomic_store(&p->shown, 0);
}

static void progress_print(const progress *p, uint64_t done, double seconds)
{
    bool utf8 = text_utf8();
    double part = p->total ? (double)done / (double)p->total : 1;
    char bar[PROGRESS_BAR * 3 + 1] = "";
    for (int i = 0; i < PROGRESS_BAR; i++)
        strcat(bar, i < (int)(part * PROGRESS_BAR) ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."));
    char left[32] = "";
    if (part > 0.02 && part < 1)
        snprintf(left, sizeof left, ", %.0f s left", seconds / part - seconds);
    fprintf(stderr, "\r\033[K%s %s %3.0f %%%s", p->label, bar, part * 100, left);
    fflush(stderr);
}

void progress_at(progress *p, uint64_t done)
{
    if (!p->on) return;
    double seconds = text_clock() - p->begun;
    uint64_t now = (uint64_t)(seconds * 1000);
    if (now < atomic_load(&p->shown) + PROGRESS_MILLISECONDS) return;
    if (atomic_flag_test_and_set(&p->busy)) return;
    atomic_store(&p->shown, now);
    progress_print(p, done, seconds);
    atomic_flag_clear(&p->busy);
}

void progress_end(progress *p)
{
    if (p->on && atomic_load(&p->shown)) fputs("\r\033[K", stderr);
    p->on = false;
}
