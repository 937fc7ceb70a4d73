// Compiled, never run: the types fit how the package is used (types.test.mjs).
import { CairnError, load, xmlElements } from '../cairn.js';
import type { Answer, Frame, Overlay, Profile, Query, Registry, Result, Space, Ticket, Trace, World } from '../cairn.js';

export async function use(bytes: Uint8Array): Promise<number> {
    const cairn = await load(bytes);
    const registry: Registry = cairn.registry();
    const names: string[] = registry.algorithms.filter((algorithm) => algorithm.flags.needsIndex).map((algorithm) => algorithm.name);
    const profile: Profile = { neighbours: '8', corners: 'never', terrainCost: { water: 2 }, maxClimb: null };
    const world: World = cairn.generate('caves', { width: 64, height: 64, seed: 5n });
    const space: Space = world.space(profile);
    const planner = space.planner(names[0]);
    planner.build((done, total) => done < total);
    const search = planner.search({ byteLimit: 1 << 20 });
    const query: Query = { from: 0, goals: [3, 4], goalKind: 'within', radius: 2, partial: true };
    search.trace({ limit: 1000 });
    const result: Result = search.find(query);
    const trace: Trace = search.takeTrace();
    const overlay: Overlay = planner.overlay(1);
    const cost: number = result.cost ?? 0;
    const held = cairn.archiveContents(world.toArchive({ profile, query, algorithm: 'astar' }));
    const prices: Float64Array | undefined = held.profile?.terrainCost;
    world.space(held.profile).planner(held.algorithm ?? held.index ?? 'astar').search().find(held.query ?? { from: prices?.[0] ?? 0 });
    const { world: tiled } = await cairn.worldFromTiled(xmlElements({}), { voidCells: 'open' }, async () => ({ tiles: [] }));
    const known: World = world.known(['links', 'elevation'], 0);
    const scout = known.space(profile).planner('dstar-lite').navigator();
    scout.setSensor(space, 5);
    scout.start(0, 1);
    const corrected: Uint32Array = scout.next().seen ? known.changes().nodes : new Uint32Array(0);
    scout.setSensor(null);
    const service = cairn.service({ byteLimit: 8 << 20 });
    const scouts: number = service.add(planner, { searches: 8 });
    const ticket: Ticket = service.request({ planner: scouts, from: 0, to: space.randomReachable(0, 7), priority: 3, answer: (one: Ticket, answer: Answer) => service.follow(one, 'never') });
    const frame: Frame = service.update({ work: 2000, microseconds: 500, clock: () => 0 });
    const next: Uint32Array = service.ahead(ticket, frame.answered);
    const options: Uint8Array | null = cairn.archiveSection(bytes, 'sim.options');
    // @ts-expect-error tickets are no numbers
    service.release(next[options?.length ?? 0]);
    // @ts-expect-error this cannot be known
    world.known(['goals']);
    // @ts-expect-error there is no such corner rule
    world.space({ corners: 'sometimes' });
    try {
        space.smooth(result, 'spline', { reach: 2 }).points.length;
    } catch (error) {
        if (error instanceof CairnError && error.status === 'stale') return error.line;
    }
    tiled.destroy();
    return cost + corrected.length + trace.kind.length + overlay.layers.length + space.components()[0];
}
