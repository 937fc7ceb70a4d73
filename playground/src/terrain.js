/* terrain.js: which terrain classes the page offers, and what they are called. */
const usual = 8;

export function terrainName(registry, terrain) {
    return registry.terrains[terrain] ?? `class ${terrain}`;
}

/* What a terrain costs that is painted and would cost no more than the ground: else nobody saw a difference. */
const paintedPrice = 3;

/* The costs of an agent after this terrain was painted; the same object if they say something about it already. */
export function pricedTerrain(registry, terrainCost, terrain) {
    const usual = registry.profile.terrainCost;
    if (terrain === 0 || terrainCost[terrain] !== undefined || usual[terrain] !== usual[0]) return terrainCost;
    return { ...terrainCost, [terrain]: paintedPrice };
}

/* The first few, and whatever else the world has. */
export function terrainClasses(world) {
    const present = new Set(Array.from({ length: usual }, (unused, i) => i));
    if (world.terrain) for (const terrain of world.terrain) present.add(terrain);
    return [...present].sort((a, b) => a - b);
}
