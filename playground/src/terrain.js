/* terrain.js: which terrain classes the page offers, and what they are called. */
const usual = 8;

export function terrainName(registry, terrain) {
    return registry.terrains[terrain] ?? `class ${terrain}`;
}

/* The first few, and whatever else the world has. */
export function terrainClasses(world) {
    const present = new Set(Array.from({ length: usual }, (unused, i) => i));
    if (world.terrain) for (const terrain of world.terrain) present.add(terrain);
    return [...present].sort((a, b) => a - b);
}
