/* dhpa_pockets.c: to which nodes routes lead. See dhpa_routes.h. */
#include "hierarchy/dhpa/dhpa_packer.h"

/* A bit for each of eight cells: no route leads from there. */
static uint64_t pockets_lost(const uint8_t *steps)
{
    uint64_t eight = crn_eight_bytes(steps); /* only CRN_ROUTE_NONE has both bits */
    return eight >> 2 & eight >> 3 & UINT64_C(0x0101010101010101);
}

/* Do the same cells have steps to two nodes? */
static bool pockets_same_reach(const uint8_t *a, const uint8_t *b, uint32_t cells)
{
    uint32_t c = 0;
    for (; c + 8 <= cells; c += 8) {
        if (pockets_lost(a + c) != pockets_lost(b + c)) return false;
    }
    while (c < cells && (a[c] == CRN_ROUTE_NONE) == (b[c] == CRN_ROUTE_NONE)) c++;
    return c == cells;
}

/* Was a node seen before that the same cells lead to, or do all of them? */
static bool pockets_reach_seen(const crn_packer *packer, uint32_t i, uint32_t different)
{
    const uint8_t *steps = crn_packer_steps(packer, i);
    if (pockets_same_reach(steps, packer->usable, packer->cells)) return true;
    for (uint32_t k = 0; k < different; k++) {
        if (pockets_same_reach(steps, crn_packer_steps(packer, packer->trail[k]), packer->cells))
            return true;
    }
    return false;
}

/* Divides pockets into the cells from which a route leads to a node, and the others. */
static void pockets_split(crn_packer *packer, uint32_t i)
{
    const uint8_t *steps = crn_packer_steps(packer, i);
    uint32_t count = 0;
    memset(packer->split[0], 0, packer->pockets * sizeof *packer->split[0]);
    memset(packer->split[1], 0, packer->pockets * sizeof *packer->split[1]);
    for (uint32_t c = 0; c < packer->cells; c++) {
        if (packer->pocket[c] == ZONES_NONE) continue;
        uint16_t *split = &packer->split[steps[c] == CRN_ROUTE_NONE][packer->pocket[c]];
        if (!*split) *split = (uint16_t)++count;
        packer->pocket[c] = (uint16_t)(*split - 1);
    }
    packer->pockets = count;
}

/* Nodes that the same cells lead to, mostly all of them, are looked at once. */
void crn_packer_find_pockets(crn_packer *packer)
{
    const crn_open_routes *open = packer->open;
    crn_area area = open->area;
    uint32_t different = 0;
    for (uint32_t y = 0, c = 0; y < area.height; y++) {
        for (uint32_t x = 0; x < area.width; x++, c++) {
            bool usable =
                crn_bit(&open->space->usable, (int32_t)(area.left + x), (int32_t)(area.top + y));
            packer->pocket[c] = usable ? 0 : ZONES_NONE;
            packer->usable[c] = usable ? 0 : CRN_ROUTE_NONE;
        }
    }
    packer->pockets = 1;
    for (uint32_t i = 0; i < open->count; i++) {
        if (pockets_reach_seen(packer, i, different)) continue;
        packer->trail[different++] = (uint16_t)i;
        pockets_split(packer, i);
    }
    if (packer->pockets == 1) packer->pockets = 0; /* that of a node has it too */
}

/* ---- reading ---- */

crn_reach crn_reach_of_pocket(const crn_routes *routes, uint32_t x, uint32_t y)
{
    crn_reader reader = crn_routes_reader(routes);
    const uint8_t *list = (const uint8_t *)routes + crn_pockets_begin(routes);
    if (crn_routes_are_paths(routes)) reader.runs = routes->bytes + (reader.targets + 7) / 8;
    uint32_t zone = crn_zone_at(&reader, x, y), width = reader.zone_bits, pocket = 0,
             left = routes->pockets;
    while (left > 1) { /* it is one of these from `pocket` on */
        uint32_t half = left / 2;
        if (crn_routes_bits(list, (pocket + half - 1) * width, width) <= zone) pocket += half;
        left -= half;
    }
    return (crn_reach){list, (routes->pockets - 1) * width + pocket * routes->nodes};
}
