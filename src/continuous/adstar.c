/* adstar.c: AD*, Anytime Dynamic A*.
 *
 * ARA* (arastar.c) that is repaired as D* Lite is (dstar_lite.c) when the world changes: the round
 * is repeated with the same epsilon, and only what the change makes different is expanded. If more
 * than `raise` per cent of the nodes that the search knows have other edges, epsilon is the first
 * one again: a path is found sooner, and improved later.
 *
 * Between two rounds the queue is sorted again (keys=sorted), as in the source, or K_m is raised
 * (keys=bias), as in D* Lite.
 *
 * Not in the source: a node whose rhs rises above its g is never closed, so that the order of
 * rounded keys does not matter; and the search begins again where that is cheaper (incremental.h).
 *
 * Source: Likhachev, Ferguson, Gordon, Stentz and Thrun, "Anytime Dynamic A*: An Anytime,
 * Replanning Algorithm", 2005.
 */
#include "continuous/anytime.h"
#include "search/path_builder.h"

static const cairn_parameter adstar_parameters[] = {
    CRN_ANYTIME_EPSILON,
    CRN_ANYTIME_FALL,
    {"raise", "per cent of the known nodes whose change raises epsilon again; 100 = never",
     CAIRN_PARAMETER_INTEGER, 0, 100, 5, NULL},
    {"keys", "when epsilon falls or the agent has moved: sort the queue, or raise K_m",
     CAIRN_PARAMETER_CHOICE, 0, 1, 0, crn_anytime_keys},
};

const crn_algorithm crn_algorithm_adstar = {
    .info = {.name = "adstar",
             .aliases = "ad* anytime-dynamic-astar anytime-dstar",
             .summary = "AD*: ARA* that is repaired when the world changes, while the agent walks",
             .source = "Likhachev, Ferguson, Gordon, Stentz and Thrun 2005",
             CRN_ANYTIME_INFO,
             .parameters = adstar_parameters,
             .parameter_count = CRN_COUNT(adstar_parameters)},
    CRN_ANYTIME_FUNCTIONS,
};
