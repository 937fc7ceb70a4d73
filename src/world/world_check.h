/* world_check.h: do grids, graphs and their spaces keep their promises? Only in builds with
 * CAIRN_CHECKS. Each returns what is wrong, NULL if nothing is (see open/open_check.h). */
#ifndef CRN_WORLD_CHECK_H
#define CRN_WORLD_CHECK_H

#include "world/graph.h"
#include "world/grid_space.h"

#if defined(CAIRN_CHECKS)
/* Planes, counts, links and the commits that are remembered. */
const char *crn_grid_check(const cairn_grid *grid);

/* Where the agent can stand, and all of the following. */
const char *crn_grid_space_check(const crn_grid_space *space);
/* Compares with components that are found in another way. */
const char *crn_components_check(const crn_components *components, const crn_grid_space *space);
const char *crn_links_check(const crn_links *links, const crn_grid_space *space);
const char *crn_runs_check(const crn_runs *runs, const crn_bits *usable);

/* After a commit: all of it, on small grids after every one, on larger ones now and then, so that
 * what is spent on a commit does not grow with the grid. */
void crn_grid_check_commit(const cairn_grid *grid);

/* A space that was just made, or given runs: all of it if it is small. */
void crn_grid_space_check_new(const crn_grid_space *space);

/* Edges, their bounds, what is hidden, and the commits that are remembered. */
const char *crn_graph_check(const cairn_graph *graph);
/* Components, and the edges backwards. */
const char *crn_graph_space_check(const crn_graph_space *space);
/* After a commit, as that of a grid. */
void crn_graph_check_commit(const cairn_graph *graph);
#endif

#endif
