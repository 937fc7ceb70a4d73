/* walk_subgoals.js: the subgoals of an agent that walks from one to the next: those that lie behind it, the one that it is on its way to, and those to come, as far as it knows them. */

/* Both are lists of { node, x, y }. `coming`: the first one is that of now; `passed`: only grows. */
export function createSubgoals() {
    const subgoals = { coming: [], passed: [] };
    return Object.assign(subgoals, {
        clear() {
            [subgoals.coming, subgoals.passed] = [[], []];
        },
        /* A turn names others than before. Who plans anew leaves the old ones; else the one that is no longer the first lies behind. Those between were left out. */
        add(coming, { plans }) {
            const [before] = subgoals.coming;
            if (before && before.node !== coming[0]?.node && !plans) subgoals.passed.push(before);
            subgoals.coming = coming;
        },
    });
}
