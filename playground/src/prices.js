/* prices.js: what is painted costs something: the agent gets a price for terrain, heights and extra costs that it would not notice otherwise. A walk under way keeps its agent; the prices
 * come when it has ended.
 */
import { pricedTerrain } from './terrain.js';

const wholeStep = 256; // weights count in 256ths of a step

export function createPrices(app) {
    const { store, registry } = app;
    let waiting = [];

    function priced(profile, { terrain, layer, elevation }) {
        const terrainCost = terrain === undefined ? profile.terrainCost : pricedTerrain(registry, profile.terrainCost, terrain);
        let next = terrainCost === profile.terrainCost ? profile : { ...profile, terrainCost };
        if (layer && !next.layerWeight) next = { ...next, layerWeight: wholeStep };
        if (elevation && !next.gradient) next = { ...next, gradient: wholeStep };
        return next;
    }

    function apply() {
        if (app.walk && app.walk.phase !== 'none') return;
        const kinds = waiting;
        waiting = [];
        store.set('problem.profile', kinds.reduce(priced, store.get('problem.profile')));
    }

    return {
        /* `kind`: what became of cells, as for world.paint. */
        painted(kind) {
            waiting.push(kind);
            apply();
        },
        /* Nobody walks any more. */
        apply: () => waiting.length && apply(),
    };
}
