/* twins.h: a planner that serves from an old index while a new one is made, whatever its algorithm.
 *
 * There are two copies of the world, each with a planner like the one that was given. One of them
 * serves: its world stands still, so its index always fits, and searches of it never go stale. The
 * other one takes in what was committed since, and brings its index up to date, on a thread of its
 * own if there is one. Then it serves, and the first one is brought up to date the next time.
 *
 * What is found is about the world of the one that serves. The copies have a context without
 * workers, so that two threads never share one pool.
 *
 * The first index is made in the same way, by the other one. Until then none of them serves.
 *
 * Or the other one is brought up to date in slices, without a thread: where commits come faster
 * than slices can follow in the world itself, they do in one that stands still.
 *
 * Grids and graphs have twins: what was committed can be made again, cell by cell, link by link and
 * edge by edge. It is staged in the world of the other one when that begins, and committed there on
 * the thread. Worlds of callbacks cannot be copied; on views no planner has an index.
 */
#ifndef CRN_TWINS_H
#define CRN_TWINS_H

#include "search/search.h"

typedef struct crn_twins crn_twins;

/* Of a planner with an index. */
bool crn_twins_are_possible(const cairn_planner *planner);

/* If the index of the planner is up to date, that of the one that serves is made at once. NULL: no
 * memory. */
crn_twins *crn_twins_create(const cairn_planner *planner, bool slices);
/* Waits for the thread. No search of the twins is left. */
void crn_twins_destroy(crn_twins *twins);

/* What both hold, as it was measured last: when no thread is at work, and there are no searches of
 * theirs. NULL: 0. */
void crn_twins_measure(crn_twins *twins);
size_t crn_twins_bytes(const crn_twins *twins);

/* The one that serves, and which version of the world its own is. */
cairn_planner *crn_twins_planner(const crn_twins *twins);
uint64_t crn_twins_version(const crn_twins *twins);

/* Is it older than the world? */
bool crn_twins_are_old(const crn_twins *twins);

/* Units of work that copying the world twice takes, and reading the changes. */
uint64_t crn_twins_copy_price(const cairn_planner *planner);
uint64_t crn_twins_price(const crn_twins *twins);

/* The other one begins to be brought up to date. False = no memory. */
bool crn_twins_begin(crn_twins *twins);

/* A slice of it, of so many units at most. Returns whether it is over, and adds the units to
 * *used. */
bool crn_twins_step(crn_twins *twins, uint64_t work, uint64_t *used);

/* Waits for it, or does it if there is no thread: then *work is what that took, else 0. OK: it
 * serves from now on, and the first one may be changed: its searches must be destroyed before the
 * next begin. */
cairn_status crn_twins_end(crn_twins *twins, uint64_t *work);

#endif
