/* cairn.d.ts: the types of the package: pathfinding for games, the C library Cairn as WebAssembly.
 *
 * Everything is synchronous once `load` has ended, but for `worldFromTiled`, which may have to unpack.
 * Nodes are numbers: y * width + x on grids. Costs are whole units (Space.scale says what a unit is).
 * Objects hold memory of the WebAssembly instance until destroy(), which also destroys what was made from
 * them (a world its spaces, a space its planners, a planner its searches). Arrays that are handed out are
 * copies and yours. */

/** What functions throw when the library says no, when an object is used after destroy(), and for arguments that make no sense. */
export class CairnError extends Error {
    readonly name: 'CairnError';
    /** A key of Registry.statuses, such as 'bad-data'. */
    readonly status: StatusName;
    /** The library's phrase for it, such as "bad data". */
    readonly statusText: string;
    /** 1-based line of a text that was read; 0 = does not apply. */
    readonly line: number;
}

/** Names of statuses, as in the library's header, in lower case with dashes; 'found' is written 'ok' except as the status of a path. */
export type StatusName =
    | 'found'
    | 'ok'
    | 'running'
    | 'unreachable'
    | 'out-of-budget'
    | 'out-of-memory'
    | 'cancelled'
    | 'blocked-start'
    | 'blocked-goal'
    | 'out-of-bounds'
    | 'stale'
    | 'not-built'
    | 'cost-overflow'
    | 'unsupported'
    | 'bad-data'
    | 'invalid'
    | 'file-error'
    | 'too-long';

export type Bytes = Uint8Array | ArrayBuffer;

/** False ends the work with the status 'cancelled'. `done` of `total` pieces. It may not use the library, which is in the middle of something: objects throw 'invalid'. */
export type Progress = (done: number, total: number) => boolean | void;

/** Reads the library. `source`: the bytes of cairn.wasm, or the compiled module. Every call makes an instance of its own. `maxCells`: how many cells a file may ask for without holding them, as a
 * packed layer of tiles or by a generator in a script (0 or not given: Registry.limits.fileCells is 2 ** 26). */
export function load(source: Bytes | WebAssembly.Module, options?: { maxCells?: number }): Promise<Cairn>;

/* ---- the registry ---- */

export interface Parameter {
    name: string;
    summary: string;
    type: 'integer' | 'number' | 'choice';
    /** integer and number: the range; choice: 0 and the last position. */
    minimum: number;
    maximum: number;
    /** integer and number: a number; choice: a name. */
    default: number | string;
    /** Of choices only. */
    choices?: string[];
}

export interface AlgorithmFlags {
    optimal: boolean;
    bounded: boolean;
    anyAngle: boolean;
    needsIndex: boolean;
    repairs: boolean;
    filters: boolean;
    terrain: boolean;
    manyGoals: boolean;
    noGoal: boolean;
    pieces: boolean;
    background: boolean;
    slices: boolean;
    anytime: boolean;
    nextMove: boolean;
    exponential: boolean;
    mayBeTrapped: boolean;
}

export interface Algorithm {
    name: string;
    aliases: string[];
    summary: string;
    /** Who published it. */
    source: string;
    family: string;
    kind: 'planner' | 'navigator';
    flags: AlgorithmFlags;
    /** Has its index something to show? (Found by asking a planner of it on a small grid.) */
    overlay: boolean;
    worlds: ('grid' | 'graph')[];
    neighbours: Neighbours[];
    corners: Corners[];
    parameters: Parameter[];
}

export interface GeneratorParameter {
    name: string;
    summary: string;
    minimum: number;
    maximum: number;
    default: number;
}

export interface Generator {
    name: string;
    summary: string;
    /** Of the standard map; 0 = it comes from a source. */
    width: number;
    height: number;
    /** Whatever the numbers, every open cell can be reached from every other one. */
    connected: boolean;
    /** Needs options.source. */
    fromSource: boolean;
    parameters: GeneratorParameter[];
}

export interface Registry {
    algorithms: Algorithm[];
    generators: Generator[];
    /** The names of event kinds: Trace.kind holds positions in this list. */
    events: string[];
    /** 'area', 'border', 'node', 'edge'. */
    overlays: string[];
    /** 'order', 'g', 'h', 'f', 'none'. */
    colourings: string[];
    heuristics: string[];
    /** When a navigator looks for another path: 'blocked', 'changed'. */
    replans: string[];
    /** 'step', 'arrived', 'think', 'stop'. */
    moves: string[];
    /** What changes in a walk script: 'block', 'open', 'terrain', 'goal'. */
    scriptActions: string[];
    neighbours: Neighbours[];
    corners: Corners[];
    layouts: Layout[];
    /** By number: name as in StatusName (0 is 'ok') and phrase. */
    statuses: { name: StatusName; text: string }[];
    /** By number: Explanation.reason and .steps are these texts. */
    reasons: string[];
    /** Names of the terrain classes 0, 1, …; the others have none. */
    terrains: string[];
    /** The colour of blocked cells, then those of open cells of the classes 0…255, as the library's pictures have them: [red, green, blue]. */
    colours: [number, number, number][];
    limits: { gridMax: number; radiusMax: number; footprintMax: number; noNode: number; noCost: number; sensorMax: number; fileCells: number };
    /** What an agent is if nothing is said: the library's default profile. */
    profile: Required<Profile>;
}

/* ---- the library ---- */

export type Layout = 'square' | 'hex';
export type Neighbours = '4' | '8' | 'hex';
export type Corners = 'never' | 'one' | 'always';

export interface MemoryUse {
    /** Held now by all objects; 0 when all are destroyed. */
    bytes: number;
    peakBytes: number;
    allocations: number;
    /** Size of the WebAssembly memory, which never shrinks. */
    memoryBytes: number;
}

export interface Cells {
    width: number;
    height: number;
    /** 1 = open; width × height, row by row. Missing arrays: all open, all ground, no extra cost, all flat. */
    open?: Uint8Array;
    terrain?: Uint8Array;
    layer?: Uint8Array;
    elevation?: Int16Array;
    layout?: Layout;
    originX?: number;
    originY?: number;
    cellSize?: number;
}

export interface PixelColour {
    red: number;
    green: number;
    blue: number;
    open: boolean;
    terrain?: number;
    layer?: number;
}

export interface PixelOptions {
    /** 'auto' is 'threshold' here, as pixels do not say who wrote them; see pngIsOurs. */
    mode?: 'auto' | 'threshold' | 'standard' | 'palette';
    /** 1…255, standard 128. */
    threshold?: number;
    invert?: boolean;
    colours?: PixelColour[];
    tolerance?: number;
    otherwise?: PixelColour;
}

/** An element of XML, or what a JSON map looks like as one; `worldFromTiled` also takes the parsed JSON of a `.tmj`. */
export interface TiledElement {
    name: string;
    attributes: Record<string, string>;
    /** Elements and pieces of text in order. */
    children: (TiledElement | string)[];
}

export interface TiledOptions {
    /** Only tile layers of this name. */
    layer?: string;
    blockedIds?: ArrayLike<number>;
    openIds?: ArrayLike<number>;
    voidCells?: 'auto' | 'blocked' | 'open';
    cellSize?: number;
    skipTilesets?: boolean;
}

export type TiledDocument = TiledElement | Record<string, unknown>;

/** Gets a tileset that has a file of its own: parsed as the map is. `name` is what the map says. */
export type ReadTileset = (name: string) => TiledDocument | Promise<TiledDocument>;

/** Where the map's cells are in the grid: the cell (left, top) of the file is (0, 0). */
export interface TiledPlace {
    left: number;
    top: number;
    swapped: boolean;
}

export interface GenerateNumbers {
    width?: number;
    height?: number;
    seed?: number | bigint;
    /** Of generators with fromSource. */
    source?: World;
    /** Parameters of the generator by name. */
    [parameter: string]: number | bigint | World | undefined;
}

export interface Problem {
    bucket: number;
    width: number;
    height: number;
    fromX: number;
    fromY: number;
    toX: number;
    toY: number;
    /** The optimal length as printed. */
    length: number;
    tolerance: number;
}

export interface Scenario {
    map: string;
    problems: Problem[];
}

export interface Cairn {
    readonly version: string;
    registry(): Registry;
    memory(): MemoryUse;

    /** A world from a file, told by how it begins: `.cairn`, MovingAI `.map`, else rows of text. PNG and Tiled files need a decoder: 'unsupported'. `name` is for complaints. */
    worldFromFile(bytes: Bytes, name?: string): World;
    /** What a `.cairn` file holds besides its world; of other files: nothing. */
    archiveContents(bytes: Bytes): ArchiveContents;
    /** A section of a `.cairn` file; null if it has none of this name with elements of so many bytes (1 if not given). */
    archiveSection(bytes: Bytes, name: string, elementBytes?: number): Uint8Array | null;
    /** A path service, to which planners are added: paths for many agents, within a budget for each frame. */
    service(options?: ServiceOptions): Service;
    /** One pixel a cell; `rgba` as ImageData has it. Same rules as the library's PNG reader. */
    worldFromPixels(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number, options?: PixelOptions): World;
    /** Did Cairn write this PNG (then its pixels are to be read with mode 'standard')? Looks at the text chunks alone. */
    pngIsOurs(bytes: Bytes): boolean;
    /** A Tiled map, parsed already: the elements of a `.tmx` (see xmlElements) or the JSON of a `.tmj`. Layers packed by zlib or gzip are unpacked by DecompressionStream; zstd is 'unsupported'. */
    worldFromTiled(document: TiledDocument, options?: TiledOptions, readTileset?: ReadTileset): Promise<{ world: World; place: TiledPlace }>;
    worldFromCells(cells: Cells): World;
    /** A waypoint graph: DIMACS `.gr` and, if there is one, `.co`. */
    worldFromGraph(gr: Bytes, co?: Bytes): GraphWorld;
    generate(kind: string, numbers?: GenerateNumbers): World;

    scenarioParse(bytes: Bytes): Scenario;
    scenarioFormat(scenario: Scenario): Uint8Array;

    /** A walk script (docs/files.md). */
    scriptParse(bytes: Bytes): WalkScript;
    scriptFormat(script: WalkScript): Uint8Array;
    /** The map that the script draws or generates, of hexagons if its agent says so; a file is yours to load. */
    scriptWorld(script: WalkScript): World;
}

export interface WalkChange {
    /** The step: how many the agent has made. */
    at: number;
    /** Of Registry.scriptActions. */
    action: string;
    /** Corners of a rectangle, both included; 'goal': the first. */
    x0: number;
    y0: number;
    x1?: number;
    y1?: number;
    terrain?: number;
}

export interface WalkScript {
    title?: string;
    map: { kind: 'none' | 'file' | 'generated' | 'rows'; file?: string; rows?: string; generator?: { kind: string } & Record<string, number | string> };
    profile: Profile;
    from: { x: number; y: number };
    to: { x: number; y: number };
    changes: WalkChange[];
    /** How the walk is expected to end. */
    end?: 'any' | 'arrived' | 'stopped';
}

/** A document of the browser's DOMParser as elements. Throws CairnError if the parser found the XML to be damaged. */
export function xmlElements(document: unknown): TiledElement;

/* ---- worlds ---- */

export interface CellArrays {
    width: number;
    height: number;
    open: Uint8Array;
    terrain: Uint8Array;
    layer: Uint8Array;
    elevation: Int16Array;
}

export interface Edit {
    nodes: Uint32Array | ArrayLike<number>;
    /** Each as long as `nodes`, or missing: stays as it is. */
    open?: ArrayLike<number>;
    terrain?: ArrayLike<number>;
    layer?: ArrayLike<number>;
    elevation?: ArrayLike<number>;
}

/** What a commit changed. What it cost a space to follow: Space.upkeep(). */
export interface Commit {
    version: number;
    /** Cells that are not what they were. */
    changed: number;
}

export interface Link {
    from: number;
    to: number;
    id: number;
    /** In 256ths of a straight step on plain ground. */
    cost: number;
    /** 0…31. */
    kind: number;
}

/** What can be known of a world before it is seen. */
export type Knowledge = 'open' | 'terrain' | 'layer' | 'elevation' | 'links';

export interface Changes {
    nodes: Uint32Array;
    open: Uint8Array;
    terrain: Uint8Array;
    layer: Uint8Array;
    elevation: Int16Array;
    linksChanged: boolean;
}

export interface World {
    readonly kind: 'grid';
    readonly width: number;
    readonly height: number;
    readonly layout: Layout;
    readonly originX: number;
    readonly originY: number;
    readonly cellSize: number;
    /** 1 for a new world, one more with every edit that changed something. */
    readonly version: number;
    readonly bytes: number;
    readonly destroyed: boolean;
    cells(): CellArrays;
    /** One commit; all spaces have followed when it returns. Nothing has changed if it throws. */
    edit(edit: Edit): Commit;
    /** What the commit that made `version` (by default the last one) has changed: each cell once, as it became. Old versions are forgotten: 'stale'. */
    changes(version?: number): Changes;
    addLinks(links: Link[]): Commit;
    /** All links with one of these ids. */
    removeLinks(ids: ArrayLike<number>): Commit;
    links(): Link[];
    /** What stands in the way for a while: other agents, carts, fire. A world has at most one list of them. */
    obstacles(): Obstacles;
    /** Only while the world has no space. */
    setLayout(layout: Layout): void;
    /** A world of the same size and layout for agents that know only a part of this one (Navigator.setSensor). What is not named is assumed: all cells are open, of this
     * terrain class, flat and without extra cost, and there are no links. It lives by itself: neither world takes the other along. */
    known(what?: 'all' | Knowledge[], terrain?: number): World;
    toMap(): Uint8Array;
    toText(): Uint8Array;
    /** A `.cairn` file, which holds everything; with a profile and a query it is a repro file, which `cairn path FILE` runs again. */
    toArchive(question?: { profile?: Profile; query?: Query; algorithm?: string }): Uint8Array;
    space(profile?: Profile): Space;
    /** Random problems that can be solved, with their optimal lengths, ascending by bucket. */
    generateScenario(options: { count: number; seed?: number | bigint; map?: string; lowestBucket?: number; highestBucket?: number; progress?: Progress }): Scenario;
    destroy(): void;
}

/** The number of an obstacle. */
export type Obstacle = bigint;

/** Obstacles lie on rectangles of cells, close them or make them dearer, and end by themselves after some time (obstacles.h). They may overlap each other and the edge of the
 * world. The cells below are still edited as always: what `edit` sets is what a cell has when nothing lies on it any more. */
export interface Obstacles {
    readonly world: World;
    /** How many there are, and what the list takes of memory besides the world. */
    readonly count: number;
    readonly bytes: number;
    readonly destroyed: boolean;
    /** Effective from the next tick on, for `ticks` of them; 0, the default: until it is removed. x and y: its upper left cell. `cost`: 0, the default, closes the cells; otherwise
     * so many units of the extra layer are added. */
    put(obstacle: { x: number; y: number; width?: number; height?: number; cost?: number; ticks?: number }): Obstacle;
    move(obstacle: Obstacle, x: number, y: number): void;
    /** It lasts for so many ticks from the next one on; 0, the default: until it is removed. */
    renew(obstacle: Obstacle, ticks?: number): void;
    remove(obstacle: Obstacle): void;
    /** Removes all of them, from the next tick on. */
    clear(): void;
    /** Once a frame: ends those whose time is over, and makes all changes effective in one commit; there is none if nothing has changed. */
    tick(): Commit;
    /** The committed state of a cell without what lies on it. */
    ownState(x: number, y: number): { open: boolean; terrain: number; layer: number; elevation: number };
    /** The world stays as it is, with what lies on it; clear and tick first for a clean one. */
    destroy(): void;
}

export interface GraphWorld {
    readonly kind: 'graph';
    readonly nodeCount: number;
    readonly edgeCount: number;
    readonly bytes: number;
    readonly destroyed: boolean;
    /** x, y pairs; zeros without positions. */
    positions(): Float64Array;
    space(): Space;
    destroy(): void;
}

/* ---- spaces ---- */

/** What is not given is as the library's default for this world. */
export interface Profile {
    neighbours?: Neighbours;
    corners?: Corners;
    /** Prices of terrain classes, such as 1.5, 0 = forbidden: all 256, or some by number or name; kept in 256ths. */
    terrainCost?: ArrayLike<number> | Record<string, number>;
    layerWeight?: number;
    gradient?: number;
    /** null = no limit. */
    maxClimb?: number | null;
    maxDrop?: number | null;
    /** 0…7; null = the library chooses. */
    costScale?: number | null;
    radius?: number;
    footprint?: number;
    /** Bit k: may use links of kind k. */
    links?: number;
}

/** What is not in the file is not there. */
export interface ArchiveContents {
    /** All fields, ready for world.space. */
    profile?: Required<Profile> & { terrainCost: Float64Array };
    /** For search.find; what is as usual is left out. A start or goal outside the world has no node: `from` is 4294967295, `to` is missing. */
    query?: Query;
    /** Of the query, such as 'hpa:size=16'; this library need not know it. */
    algorithm?: string;
    /** What the index in it is of, in the same way. */
    index?: string;
}

export interface Explanation {
    /** '' = the agent can stand here, else a text of Registry.reasons. */
    reason: string;
    terrain: number;
    clearance: number;
    /** The nearest blocked cell; null: the edge of the map, or there is none. */
    obstacle: number | null;
    /** 0 = none; equal for cells that hang together. As a text, since it has 64 bits. */
    region: string;
    /** The neighbours: name of the step, cell, and '' or why it cannot be made. */
    steps: { name: string; x: number; y: number; reason: string }[];
    /** All of it in a sentence or two. */
    text: string;
}

/** What functions on paths need of a result: also one that was sent from another thread. */
export interface PathData {
    points: ArrayLike<number>;
    links?: { at: number; id: number }[];
    anyAngle?: boolean;
}

export interface Upkeep {
    rowsEroded: number;
    cellsCleared: number;
    tilesLabelled: number;
    blocksJoined: number;
}

export type SmoothKind = 'sight' | 'string' | 'rays' | 'box' | 'spline';

export interface SmoothOptions {
    /** rays: none; box: rays end this many cells away (standard 16). */
    box?: number;
    /** spline: a curve begins at most this many cells before its corner; 0 = no limit. */
    reach?: number;
    /** spline: points of curves lie at most so far apart; 0 = 1/4. */
    spacing?: number;
}

export interface Smoothed {
    /** x, y pairs in cells, centres of cells at .5 (hexagons: where they lie). */
    points: Float64Array;
    /** The nodes, of all kinds but 'spline'. */
    nodes?: Uint32Array;
    length: number;
    /** In units, of 'rays' and 'box'. */
    cost?: number;
}

export interface Space {
    readonly kind: 'grid' | 'graph';
    /** As it is in force, all fields filled; null on graphs. */
    readonly profile: Required<Profile> | null;
    readonly scale: { straight: number; diagonal: number };
    readonly nodeCount: number;
    readonly bytes: number;
    readonly version: number;
    /** A hash of all that paths depend on: 16 hexadecimal digits, the same on every machine. */
    readonly hash: string;
    /** May there be steps that cannot be made back? Then equal components mean "maybe". */
    readonly directed: boolean;
    readonly destroyed: boolean;
    /** 1 = can be stood on. */
    usable(): Uint8Array;
    /** 0 = cannot be stood on; else numbers from 1, in the order of their first cells. */
    components(): Uint32Array;
    /** Distance to the nearest blocked cell in cells, at most `limit` (1…64, standard 16). From then on edits keep the field up to date, until dropClearance. */
    clearance(limit?: number): Float32Array;
    dropClearance(): void;
    explain(x: number, y: number): Explanation;
    upkeep(): Upkeep;
    reachable(from: number, to: number): 'no' | 'yes' | 'maybe';
    /** `last`: the last node of the line that can be reached; null if `from` is no place to stand. */
    raycast(from: number, to: number): { clear: boolean; last: number | null };
    /** In units; null if one of them is no node. */
    estimate(heuristic: string, from: number, to: number): number | null;
    admissible(heuristic: string): boolean;
    stepCost(from: number, to: number): number | null;
    nearestReachable(from: number, to: number): number;
    /** A node that an agent at `from` can come to, each with the same probability; the same one for the same seed. */
    randomReachable(from: number, seed: number | bigint): number;
    /** Node to position and back, as the world's origin and cell size say; nodeAt: null outside. */
    position(node: number): { x: number; y: number; z: number };
    nodeAt(x: number, y: number, z?: number): number | null;
    /** 'astar', 'hpa:size=16', …; or 'auto', one that suits the space: the planner's `algorithm` says which. */
    planner(spec: string): Planner;
    /** Every node on the way, one step apart: Result.cells() for results that came from elsewhere. */
    pathCells(result: PathData): Uint32Array;
    /** Of a result found in this space; 'stale' if it cannot be walked on the world as it is now. */
    smooth(result: PathData, kind: SmoothKind, options?: SmoothOptions): Smoothed;
    /** Can the path still be walked? If not: the first step that cannot be made. */
    check(result: PathData): { valid: boolean; cost: number | null; from: number | null; to: number | null };
    /** The picture that the program draws. */
    svg(options?: PictureOptions): string;
    destroy(): void;
}

export interface PictureOptions {
    /** A search is run with this planner and recorded: the fill. It must be one of this space. */
    planner?: Planner;
    query?: Query;
    colour?: string;
    legend?: boolean;
    /** Shows the index of the planner: a layer, 0 = all. */
    overlay?: number;
    /** Smooths the path of the search. */
    smooth?: SmoothKind;
    smoothOptions?: SmoothOptions;
    /** Draw the path of the search? Standard: true. */
    path?: boolean;
    /** Pixels a cell; 0 = what fits 1024 pixels. */
    scale?: number;
}

/* ---- planners ---- */

export interface Overlay {
    /** Layers that something was seen of, ascending. */
    layers: number[];
    areas: { node: Uint32Array; group: Uint32Array; layer: Uint8Array };
    borders: { x0: Float32Array; y0: Float32Array; x1: Float32Array; y1: Float32Array; layer: Uint8Array };
    nodes: { x: Float32Array; y: Float32Array; node: Uint32Array; group: Uint32Array; layer: Uint8Array };
    edges: { x0: Float32Array; y0: Float32Array; x1: Float32Array; y1: Float32Array; layer: Uint8Array; cost: Uint32Array };
}

export interface Planner {
    /** Of the registry. */
    readonly algorithm: string;
    /** As it was asked for. */
    readonly spec: string;
    /** Values in force by name. */
    readonly parameters: Record<string, number | string>;
    readonly optimal: boolean;
    /** 'ok': searches will be served; 'not-built' or 'stale': not yet. */
    readonly state: StatusName;
    readonly indexBytes: number;
    /** Milliseconds of the last build or sync. */
    readonly buildMs: number;
    readonly destroyed: boolean;
    build(progress?: Progress): void;
    sync(progress?: Progress): void;
    /** The index as a `.cairn` file, which another planner of the same algorithm on an equal space can load: built in another worker, say. 'stale' if its space is another one. */
    saveIndex(): Uint8Array;
    loadIndex(bytes: Uint8Array): void;
    /** Positions as Space.position gives them. `layer` 0 = all. */
    overlay(layer?: number): Overlay;
    search(options?: { byteLimit?: number }): Search;
    /** An agent that walks with this planner in a world that changes; an index is built with the first plan and synced as needed. */
    navigator(options?: NavigatorOptions): Navigator;
    /** The trace of one search as a YAML document for the Posthoc visualiser. */
    posthoc(query: Query): string;
    destroy(): void;
}

/* ---- searches ---- */

export interface Query {
    from: number;
    to?: number;
    /** Instead of `to`. */
    goals?: ArrayLike<number>;
    goalKind?: 'at' | 'next-to' | 'within' | 'none';
    /** For 'within'. */
    radius?: number;
    maxCost?: number;
    maxWork?: number;
    partial?: boolean;
    piece?: number;
}

export interface Metrics {
    work: number;
    expanded: number;
    generated: number;
    reopened: number;
    pushes: number;
    peakBytes: number;
    lines: number;
    /** The algorithm that answered: the planner's, or the one it delegated the query to; null if the ends decided the answer. */
    answeredBy: string | null;
}

/** What a search or a service answers. */
export interface Answer extends PathData {
    /** 'found', or why there is no (whole) path. */
    status: StatusName;
    statusText: string;
    partial: boolean;
    /** Where it ends; null if there is no path. */
    end: number | null;
    /** Turning points. */
    points: Uint32Array;
    /** In units; null if there is no path. */
    cost: number | null;
    /** In cells. */
    length: number;
    /** cost ≤ bound × optimal; 0 = no bound is known. */
    bound: number;
    anyAngle: boolean;
    /** The step from points[at] to points[at + 1] uses the link `id`. */
    links: { at: number; id: number }[];
    /** Of the world it was found on. */
    version: number;
    /** A hash of status, turning points and cost: 16 hexadecimal digits, to compare results by. */
    hash: string;
    /** Every node on the way, one step apart. Needs the space, which must not be destroyed. */
    cells(): Uint32Array;
}

export interface Result extends Answer {
    metrics: Metrics;
    peakBytes: number;
    /** As in `metrics`. */
    answeredBy: string | null;
}

export interface Trace {
    /** Positions in Registry.events. */
    kind: Uint8Array;
    /** 0 = the space itself. Plus 128: of a search backward from the goals, whose parents are the next nodes on the path. */
    layer: Uint8Array;
    node: Uint32Array;
    /** Registry.limits.noNode = none. */
    parent: Uint32Array;
    g: Uint32Array;
    h: Uint32Array;
    /** Events there were; more than the arrays hold if `cut`. */
    total: number;
    cut: boolean;
}

export interface Search {
    readonly destroyed: boolean;
    find(query: Query): Result;
    /** In slices: begin, step until it is not 'running', result. */
    begin(query: Query): StatusName;
    step(work: number): StatusName;
    result(): Result;
    /** The next piece of a result with `partial` (Query.piece). */
    findNext(): Result;
    /** ... in slices, as begin. Both throw if there is none. */
    beginNext(): StatusName;
    cancel(): void;
    metrics(): Metrics;
    /** Watch from the next begin on; `limit` events are kept (standard 4 million). */
    trace(on: boolean | { limit?: number }): void;
    /** What was seen since the last begin; empties the store. */
    takeTrace(): Trace;
    /** After a search: the cost of the way found to a node; null = not reached. */
    costTo(node: number): number | null;
    /** ... and the costs of all nodes (noCost = not reached). */
    costs(): Uint32Array;
    destroy(): void;
}

/* ---- agents that walk ---- */

export interface NavigatorOptions {
    /** 'blocked' (standard): plans again when what is left of the path cannot be walked; 'changed': after every edit. */
    replan?: string;
    /** Units of work for each call of next(); 0 = no limit. */
    work?: number;
    /** Plans this many steps at a time, by planners that can; 0 = all. */
    piece?: number;
    byteLimit?: number;
}

/** What one call of next() did. */
export interface Move {
    /** 'step', 'arrived', 'think' or 'stop' (no path is left). */
    kind: string;
    /** 'ok'; 'running' while it thinks; else why it stops. */
    status: StatusName;
    statusText: string;
    /** The same if it stays; null before the start. */
    from: number | null;
    to: number | null;
    arrived: boolean;
    /** The id of the link that the step uses. */
    link: number | null;
    cost: number;
    work: number;
    expanded: number;
    plans: number;
    pieces: number;
    syncs: number;
    /** The path turned out not to lead to the goal any more. */
    broken: boolean;
    /** What its sensor saw that was not known: cells, and nodes whose links differ. */
    seen: number;
}

/** Since the start. */
export interface WalkSums {
    calls: number;
    moves: number;
    cost: number;
    work: number;
    mostWork: number;
    expanded: number;
    plans: number;
    pieces: number;
    syncs: number;
    breaks: number;
    seen: number;
    peakBytes: number;
    bytes: number;
}

export interface Navigator {
    readonly at: number | null;
    readonly goal: number | null;
    readonly destroyed: boolean;
    start(from: number, to: number): void;
    /** Where the agent is, if `next` did not take it there: a step along its path keeps the path, anything else is another plan. */
    moved(at: number): void;
    retarget(to: number): void;
    /** What its sensor sees, or null. */
    readonly truth: Space | null;
    /** From now on the agent knows only the world of its planner, which should be a world of its own (World.known), and sees `truth`, a space of the world as it is, at most
     * `range` (1 to Registry.limits.sensorMax) rows and columns, or steps on hexagons, away. Each call of next() first writes what it sees into the known world, by one commit
     * (World.changes). The space stays in memory as long as the sensor is there. null takes the sensor away. 'invalid' if the worlds do not fit or an agent with a size needs
     * a longer range, 'unsupported' for such agents with planners of any angle; then everything stays as it was. */
    setSensor(truth: Space, range: number): void;
    setSensor(truth: null): void;
    next(): Move;
    /** Where the agent is, then the turning points to come. */
    ahead(): Uint32Array;
    /** Of an agent that walks from subgoal to subgoal: the one it walks to now, then those to come, as far as it knows them; empty for others. */
    subgoals(): Uint32Array;
    sums(): WalkSums;
    /** Watch every plan from the next one on. */
    trace(on: boolean | { limit?: number }): void;
    takeTrace(): Trace;
    /** Starts the agent as the script says; the script's changes are made by turn() to the planner's world, or to the truth if the agent has a sensor. */
    walk(script: WalkScript): ScriptWalk;
    destroy(): void;
}

/* ---- path services: paths for a whole game, within a budget for each frame (service.h) ---- */

export interface ServiceOptions {
    /** Units of work that a search gets before it is the turn of the next one that is equally urgent; 0 = 256. */
    slice?: number;
    /** So many frames of waiting count as much as one level of priority; 0 = 30. */
    ageing?: number;
    /** For requests, searches and answers together; 0 = none. */
    byteLimit?: number;
}

/** A number with 64 bits; later requests have higher ones. */
export type Ticket = bigint;

export interface ServiceRequest {
    /** As Service.add gave it; 0, the first one, if not given. */
    planner?: number;
    from: number;
    to: number;
    /** 0 to 15; higher is more urgent. */
    priority?: number;
    /** If not 0: the answer is worth nothing later than so many updates from now ('out-of-budget'). */
    deadline?: number;
    maxWork?: number;
    partial?: boolean;
    /** If not 0: the first part of the path, of at least so many steps, by planners that can; continue() asks for the next one. */
    piece?: number;
    /** Called once by update(), which then releases the ticket, unless the function continues or follows it. It may use the service, and look at things, but may not
     * edit, build, step, update or destroy anything. What it throws comes out of update(). */
    answer?: (ticket: Ticket, answer: Answer) => void;
}

export interface Followed {
    /** Where the agent is: behind points[segment] of the path. */
    at: number;
    segment: number;
    /** What the rest costs; null = there is none, or an edit has changed it. */
    left: number | null;
    /** The rest can be walked in this version of the world. */
    version: number;
    /** For another path. */
    searching: boolean;
}

export interface FrameBudget {
    /** Units of work, never exceeded (except with `background: 'never'`, in an index that cannot be updated in slices); 0 = no limit. */
    work?: number;
    /** Units that frames should take; what a frame takes above that is paid back. */
    soft?: number;
    /** Ends after so many microseconds, too; answers then depend on the machine. */
    microseconds?: number;
    /** Returns microseconds; if not given, performance.now() does. It may use nothing of the library. */
    clock?: () => number;
}

export interface Frame {
    /** Units of work, and how many of these were above what indexes that cannot be divided were granted; what is still to be paid back. */
    used: number;
    undivided: number;
    debt: number;
    /** Tickets that got their answers, and of these the ones that were too late. */
    answered: number;
    expired: number;
    /** Searches that have not begun, and those under way, at the end. */
    waiting: number;
    running: number;
    /** Searches begun again because the world has changed; those that changes cannot overtake any more; answers from a world that has changed since. */
    restarts: number;
    pinned: number;
    outdated: number;
    /** Followed paths that edits have broken, and those that may have become too long. */
    broken: number;
    shortcuts: number;
    /** Units, not a part of `used`, for an index on a copy of the world. */
    beside: number;
}

export interface ServiceUse {
    frames: number;
    requests: number;
    refused: number;
    shared: number;
    tickets: number;
    followed: number;
    searches: number;
    bytes: number;
    peakBytes: number;
    meanBytes: number;
    varianceBytes: number;
    /** Not a part of `bytes`: copies of the world, and their indexes; and how often there was no memory for a new one. */
    copyBytes: number;
    failedSyncs: number;
}

export interface Service {
    readonly destroyed: boolean;
    /** Adds a planner and returns its number. The service is destroyed together with any of its planners. `searches`: that may be under way at a time, up to 64; 0 = 4.
     * `background`: 'auto' (if not given): an index that cannot be divided is made on a copy of the world, and serves 15 updates later, while the old one serves; so `used` never
     * exceeds the budget. There are no threads here: that update makes the index, and takes longer (Frame.beside). A number: so many updates, for all indexes. 'never': within an update, which may take more than its work
     * (Frame.undivided); this takes no memory for copies. Throws 'unsupported' where there are no copies. */
    add(planner: Planner, share?: { searches?: number; searchBytes?: number; background?: 'auto' | 'never' | number }): number;
    /** Asks for a path. Nothing is searched yet. Throws 'out-of-memory' if there is no room for the request; all other faults are answers. */
    request(request: ServiceRequest): Ticket;
    /** 'found', 'running' as long as there is no answer, why there is no path, or 'invalid' if there is no such ticket. */
    status(ticket: Ticket): StatusName;
    /** null while there is none. */
    answer(ticket: Ticket): Answer | null;
    /** Asks for the next piece, after an answer that is partial for this reason only. */
    continue(ticket: Ticket): void;
    /** Gives a ticket back, whether it is answered or not. */
    release(ticket: Ticket): void;
    /** Follows the path of an answered ticket: if an edit breaks it, another path is searched from where the agent is, and there is no answer until it is found. `shortcuts`: when
     * one is searched though the path is not broken: 'never'; if an edit may have made a shorter one 'possible' (if not given); 'always'. */
    follow(ticket: Ticket, shortcuts?: 'never' | 'possible' | 'always'): void;
    /** Says where the agent is: off its path, another one is searched from there. */
    walked(ticket: Ticket, at: number): void;
    followed(ticket: Ticket): Followed;
    /** The nodes that follow on a followed path, one step apart, at most so many (1 if not given); none at the end, and while there is no path. */
    ahead(ticket: Ticket, most?: number): Uint32Array;
    /** Works on the requests: once a frame. */
    update(budget?: FrameBudget): Frame;
    usage(): ServiceUse;
    destroy(): void;
}

export interface ScriptWalk {
    /** Steps so far, the first change to come, changes made in the last turn, whether nothing more will happen. */
    readonly step: number;
    readonly next: number;
    readonly made: number;
    readonly over: boolean;
    readonly destroyed: boolean;
    /** Makes the changes that are due, in one commit, and asks the agent what next. */
    turn(): Move;
    destroy(): void;
}
