/* cairn.js: pathfinding for games: the C library Cairn as WebAssembly, for Node, pages and workers.
 *
 * The module cairn.wasm has flat exports (glue*.c) that take numbers and addresses and leave what they have to say
 * in an array of numbers, in an output, or in an error; `Library` below is the one place that touches its memory. Objects
 * of the library are handles: classes with an address, their parent and their children, so that destroying a world
 * destroys its spaces first. Nothing about algorithms is written here: it all comes from the library's registry.
 *
 * cairn.d.ts has the types and says what each function does.
 */

/* ---- statuses and errors ---- */

/* As in the library's header, by number. */
const STATUS_NAMES = ['ok', 'running', 'unreachable', 'out-of-budget', 'out-of-memory', 'cancelled', 'blocked-start',
    'blocked-goal', 'out-of-bounds', 'stale', 'not-built', 'cost-overflow', 'unsupported', 'bad-data', 'invalid',
    'file-error', 'too-long'];

export class CairnError extends Error {
    constructor(status, message, line = 0, statusText = status.replaceAll('-', ' ')) {
        super(message);
        this.name = 'CairnError';
        this.status = status;
        this.statusText = statusText;
        this.line = line;
    }
}

function invalid(message) {
    return new CairnError('invalid', message);
}

/* ---- checking what callers give ---- */

function wholeNumber(value, name, most = 0xffffffff, least = 0) {
    if (!Number.isInteger(value) || value < least || value > most)
        throw invalid(`${name} must be a whole number from ${least} to ${most}, not ${String(value)}`);
    return value;
}

function finiteNumber(value, name) {
    if (!Number.isFinite(value)) throw invalid(`${name} must be a number, not ${String(value)}`);
    return value;
}

function choice(list, value, name) {
    const at = list.indexOf(value);
    if (at < 0) throw invalid(`${name} must be one of ${list.join(', ')}, not ${String(value)}`);
    return at;
}

function bytesOf(data, name) {
    if (data instanceof Uint8Array) return data;
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw invalid(`${name} must be bytes (a Uint8Array or an ArrayBuffer)`);
}

function seedOf(value) {
    if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value;
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    throw invalid(`seed must be a whole number from 0 to 2^53 - 1, or a BigInt below 2^64, not ${String(value)}`);
}

/* An array of whole numbers as a typed array of the kind. */
function integers(Kind, values, name, count) {
    if (values === undefined || values === null) return null;
    if (typeof values.length !== 'number') throw invalid(`${name} must be an array of numbers`);
    if (count !== undefined && values.length !== count)
        throw invalid(`${name} has ${values.length} numbers, ${count} are needed`);
    if (values instanceof Kind) return values;
    const array = Kind.from(values);
    for (let i = 0; i < array.length; i++) {
        if (array[i] !== Number(values[i])) throw invalid(`${name}[${i}] is ${String(values[i])}, which is out of range`);
    }
    return array;
}

/* ---- the module ---- */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/* Sizes have 32 bits in the module: larger ones would be cut. */
const SIZE_MAX = 0xffffffff;

/* The memory and the exports of one instance. Views are made anew for each use, as memory may have grown. */
class Library {
    constructor(instance, hooks, maxCells) {
        this.exports = instance.exports;
        this.hooks = hooks;
        this.reporting = false;
        this.updating = false;
        this.exports._initialize?.();
        if (this.exports.glue_start(maxCells)) throw new CairnError('out-of-memory', 'there is not enough memory');
        this.numbersAt = this.exports.glue_numbers();
        this.check(this.exports.glue_registry());
        this.tables = JSON.parse(this.outputText());
    }

    /* Functions of the module return addresses as signed numbers: those above 2 GiB are negative. */
    array(Kind, address, count) {
        return new Kind(this.exports.memory.buffer, address >>> 0, count);
    }

    /* What a function left in the numbers. */
    numbers(count) {
        return this.array(Float64Array, this.numbersAt, count).slice();
    }

    setNumbers(values) {
        this.array(Float64Array, this.numbersAt, values.length).set(values);
    }

    text(address) {
        const bytes = this.array(Uint8Array, address);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    /* A copy of the output, which is then empty. */
    output() {
        const { glue_output, glue_output_size, glue_output_begin } = this.exports;
        const bytes = this.array(Uint8Array, glue_output(), glue_output_size()).slice();
        glue_output_begin();
        return bytes;
    }

    outputText() {
        return decoder.decode(this.output());
    }

    /* Throws the error of the last call. */
    fail() {
        const text = this.text(this.exports.glue_error());
        const [status, line] = this.numbers(2);
        throw new CairnError(STATUS_NAMES[status], text, line, this.statusText(status));
    }

    /* For functions that return a status. */
    check(status) {
        if (status) this.fail();
    }

    /* For functions that return an address. */
    made(address) {
        return address >>> 0 || this.fail();
    }

    /* What a report of progress is about is half done: nothing of the library may be touched meanwhile. */
    checkIdle() {
        if (this.reporting) throw invalid('a report of progress may not use the library: it is in the middle of something');
    }

    /* While a service tells answers, worlds and planners stay as they are, and nothing is destroyed. */
    checkStill() {
        this.checkIdle();
        if (this.updating) throw invalid('a function that is told an answer may not edit, build, step, update or destroy anything');
    }

    allocate(size) {
        this.checkIdle();
        const address = size > SIZE_MAX ? 0 : this.exports.glue_resize(0, 0, Math.max(size, 1)) >>> 0;
        if (!address) throw new CairnError('out-of-memory', 'there is not enough memory');
        return address;
    }

    free(address, size) {
        this.exports.glue_resize(address, Math.max(size, 1), 0);
    }

    /* Calls `use` with the addresses of copies of the arrays (0 for null) that live as long as the call. */
    withArrays(arrays, use) {
        const blocks = [];
        try {
            for (const array of arrays) {
                if (!array) {
                    blocks.push(null);
                    continue;
                }
                const address = this.allocate(array.byteLength);
                blocks.push({ address, size: array.byteLength });
                this.array(Uint8Array, address, array.byteLength).set(
                    new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
            }
            return use(...blocks.map((block) => (block ? block.address : 0)));
        } finally {
            for (const block of blocks) if (block) this.free(block.address, block.size);
        }
    }

    withText(text, use) {
        return this.withArrays([encoder.encode(`${text}\0`)], use);
    }

    /* Room for `count` elements that `fill` writes: a copy of them. */
    filled(Kind, count, fill) {
        const size = count * Kind.BYTES_PER_ELEMENT;
        const address = this.allocate(size);
        try {
            fill(address);
            return this.array(Kind, address, count).slice();
        } finally {
            this.free(address, size);
        }
    }

    /* The text of a reason; '' for none. */
    reason(number) {
        return number ? this.tables.reasons[number] : '';
    }

    statusText(status) {
        return this.tables.statuses[status];
    }

    heuristic(name) {
        return choice(this.tables.heuristics, name, 'heuristic');
    }

    /* Calls `work` with whether a report is wanted; what the report throws comes out of here. */
    withProgress(progress, work) {
        this.checkStill();
        let thrown = null;
        const outer = this.hooks.report;
        this.hooks.report = (done, total) => {
            this.reporting = true;
            try {
                return progress(done, total) === false ? 0 : 1;
            } catch (error) {
                thrown = { error };
                return 0;
            } finally {
                this.reporting = false;
            }
        };
        try {
            const status = work(progress ? 1 : 0);
            if (thrown) throw thrown.error;
            this.check(status);
        } finally {
            this.hooks.report = outer;
        }
    }
}

/* An object of the library. */
class Handle {
    #address;
    #children = new Set();
    #parent;
    #destroy;

    constructor(library, address, parent, destroy) {
        this.library = library;
        this.#address = address;
        this.#parent = parent;
        this.#destroy = destroy;
        parent?.adopt(this);
        Object.defineProperty(this, 'library', { enumerable: false });
    }

    get address() {
        this.library.checkIdle();
        if (!this.#address) throw invalid(`this ${this.constructor.name} was destroyed`);
        return this.#address;
    }

    get destroyed() {
        return !this.#address;
    }

    adopt(child) {
        this.#children.add(child);
    }

    leave(child) {
        this.#children.delete(child);
    }

    destroy() {
        if (!this.#address) return;
        this.library.checkStill();
        for (const child of [...this.#children]) child.destroy();
        this.#parent?.leave(this);
        this.library.exports[this.#destroy](this.#address);
        this.#address = 0;
    }
}

/* ---- loading ---- */

/* The C library's printing is linked in but never used: there are no files ("bad file descriptor"). */
const BAD_FILE = 8;
const NO_FILES = { fd_close: () => BAD_FILE, fd_seek: () => BAD_FILE, fd_write: () => BAD_FILE };

export async function load(source, { maxCells = 0 } = {}) {
    if (!Number.isInteger(maxCells) || maxCells < 0 || maxCells > SIZE_MAX) throw invalid(`maxCells must be a whole number from 0 to ${SIZE_MAX}`);
    const hooks = { report: null, answered: null, clock: null }; // the latter two while a service updates
    const imports = {
        cairn: {
            progress: (done, total) => (hooks.report ? hooks.report(done, total) : 1),
            answered: (service, ticket) => hooks.answered(BigInt.asUintN(64, ticket)),
            clock: () => hooks.clock(),
        },
        wasi_snapshot_preview1: NO_FILES,
    };
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(bytesOf(source, 'source'));
    return new Cairn(new Library(await WebAssembly.instantiate(module, imports), hooks, maxCells));
}

class Cairn {
    #registry = null;
    #library;
    #baseline = 0;

    constructor(library) {
        this.#library = library;
        this.version = library.text(library.exports.glue_version());
        this.#baseline = this.memory().bytes;
    }

    memory() {
        const library = this.#library;
        library.exports.glue_memory();
        const [bytes, peakBytes, allocations] = library.numbers(3);
        return { bytes: bytes - this.#baseline, peakBytes, allocations, memoryBytes: library.exports.memory.buffer.byteLength };
    }

    registry() {
        this.#registry ??= readRegistry(this, this.#library);
        return structuredClone(this.#registry);
    }

    /* ---- worlds ---- */

    worldFromFile(bytes, name) {
        const library = this.#library;
        const data = bytesOf(bytes, 'bytes');
        const title = name === undefined ? null : encoder.encode(`${name}\0`);
        return library.withArrays([data, title], (at, titleAt) =>
            new World(library, library.made(library.exports.glue_grid_parse(at, data.length, titleAt))));
    }

    archiveContents(bytes) {
        return readContents(this.#library, bytesOf(bytes, 'bytes'));
    }

    archiveSection(bytes, name, elementBytes = 1) {
        const library = this.#library, data = bytesOf(bytes, 'bytes'), element = wholeNumber(elementBytes, 'elementBytes', 8, 1);
        const found = library.withArrays([data, encoder.encode(`${name}\0`)], (at, nameAt) =>
            library.exports.glue_archive_section(at, data.length, nameAt, element));
        if (found < 0) library.fail();
        return found ? library.output() : null;
    }

    /* ---- path services ---- */

    service({ slice = 0, ageing = 0, byteLimit = 0 } = {}) {
        const library = this.#library;
        const numbers = [wholeNumber(slice, 'slice'), wholeNumber(ageing, 'ageing'), wholeNumber(byteLimit, 'byteLimit')];
        library.checkIdle();
        library.setNumbers(numbers);
        return new Service(library, library.made(library.exports.glue_service_create()));
    }

    worldFromCells(cells) {
        const library = this.#library;
        const width = wholeNumber(cells.width, 'width'), height = wholeNumber(cells.height, 'height');
        const count = width * height;
        const arrays = [integers(Uint8Array, cells.open, 'open', count), integers(Uint8Array, cells.terrain, 'terrain', count),
            integers(Uint8Array, cells.layer, 'layer', count), integers(Int16Array, cells.elevation, 'elevation', count)];
        const numbers = [finiteNumber(cells.originX ?? 0, 'originX'), finiteNumber(cells.originY ?? 0, 'originY'),
            finiteNumber(cells.cellSize ?? 0, 'cellSize'), choice(LAYOUTS, cells.layout ?? 'square', 'layout')];
        return library.withArrays(arrays, (...at) => {
            library.setNumbers(numbers);
            return new World(library, library.made(library.exports.glue_grid_create(width, height, ...at)));
        });
    }

    generate(kind, numbers = {}) {
        const library = this.#library;
        const { at, width, height, seed, values } = generatorParts(library, kind, numbers);
        if (numbers.source !== undefined && !(numbers.source instanceof World && numbers.source.library === library))
            throw invalid('source must be a world of this instance');
        const source = numbers.source ? numbers.source.address : 0;
        return library.withArrays([values], (valuesAt) =>
            new World(library, library.made(library.exports.glue_generate(at, width, height, seed, valuesAt, source))));
    }

    worldFromPixels(rgba, width, height, options = {}) {
        const library = this.#library;
        const pixels = bytesOf(rgba, 'rgba');
        wholeNumber(width, 'width');
        wholeNumber(height, 'height');
        if (pixels.length !== width * height * 4) throw invalid(`rgba has ${pixels.length} bytes, ${width * height * 4} are needed`);
        const numbers = [choice(PIXEL_MODES, options.mode ?? 'auto', 'mode'), wholeNumber(options.threshold ?? 0, 'threshold'),
            options.invert ? 1 : 0, wholeNumber(options.tolerance ?? 0, 'tolerance')];
        const colours = options.colours ?? [];
        const palette = Uint8Array.from(colours.flatMap(colourBytes));
        const otherwise = options.otherwise ? Uint8Array.from(colourBytes(options.otherwise)) : null;
        return library.withArrays([pixels, palette, otherwise], (at, paletteAt, otherwiseAt) => {
            library.setNumbers(numbers);
            return new World(library, library.made(
                library.exports.glue_grid_pixels(at, width, height, paletteAt, colours.length, otherwiseAt)));
        });
    }

    pngIsOurs(bytes) {
        return pngTexts(bytesOf(bytes, 'bytes')).includes(PNG_MARK);
    }

    async worldFromTiled(document, options = {}, readTileset) {
        const library = this.#library;
        const map = await unpackLayers(elementsOf(document, 'map'), library.tables.limits.fileCells);
        const sets = options.skipTilesets ? new Uint8Array(0) : await tilesetBytes(map, readTileset);
        const blocked = integers(Uint32Array, options.blockedIds ?? [], 'blockedIds');
        const open = integers(Uint32Array, options.openIds ?? [], 'openIds');
        const numbers = [blocked.length, open.length, choice(VOID_RULES, options.voidCells ?? 'auto', 'voidCells'),
            finiteNumber(options.cellSize ?? 0, 'cellSize'), options.skipTilesets ? 1 : 0];
        const ids = new Uint32Array(blocked.length + open.length);
        ids.set(blocked);
        ids.set(open, blocked.length);
        const layer = options.layer === undefined ? null : encoder.encode(`${options.layer}\0`);
        const data = elementBytes(map);
        return library.withArrays([data, sets, layer, ids], (at, setsAt, layerAt, idsAt) => {
            library.setNumbers(numbers);
            const grid = library.made(library.exports.glue_grid_tiled(at, data.length, setsAt, sets.length, layerAt, idsAt));
            const [left, top, swapped] = library.numbers(3);
            return { world: new World(library, grid), place: { left, top, swapped: swapped !== 0 } };
        });
    }

    worldFromGraph(gr, co) {
        const library = this.#library;
        const edges = bytesOf(gr, 'gr'), points = co === undefined ? null : bytesOf(co, 'co');
        return library.withArrays([edges, points], (at, pointsAt) => new GraphWorld(library, library.made(
            library.exports.glue_graph_parse(at, edges.length, pointsAt, points ? points.length : 0))));
    }

    /* ---- scenarios ---- */

    scenarioParse(bytes) {
        const library = this.#library;
        const data = bytesOf(bytes, 'bytes');
        library.withArrays([data], (at) => library.check(library.exports.glue_scenario_parse(at, data.length)));
        return readScenario(library);
    }

    scenarioFormat({ map, problems }) {
        const library = this.#library;
        const rows = Float64Array.from(problems.flatMap((problem) => PROBLEM_FIELDS.map(([name, least, most]) =>
            (name === 'tolerance' ? 0 : numberWithin(problem[name], name, least, most)))));
        library.withArrays([rows, encoder.encode(`${map}\0`)], (at, mapAt) =>
            library.check(library.exports.glue_scenario_format(at, problems.length, mapAt)));
        return library.output();
    }

    /* ---- walk scripts ---- */

    scriptParse(bytes) {
        return parseScript(this.#library, bytesOf(bytes, 'bytes'));
    }

    scriptFormat(script) {
        const library = this.#library;
        const { file, rows, generator } = script.map;
        const made = generator && generatorParts(library, generator.kind, withoutKind(generator));
        const drawn = rows === undefined ? null : encoder.encode(rows);
        const address = makeScript(library, script);
        try {
            library.withArrays([file === undefined ? null : encoder.encode(`${file}\0`), drawn, made?.values], (fileAt, rowsAt, valuesAt) =>
                library.check(library.exports.glue_script_format(address, fileAt, rowsAt, drawn ? drawn.length : 0, made?.at ?? 0,
                    made?.width ?? 0, made?.height ?? 0, made?.seed ?? 0n, valuesAt)));
        } finally {
            library.exports.glue_script_destroy(address);
        }
        return library.output();
    }

    scriptWorld({ map, profile }) {
        const { rows, generator } = map;
        if (rows === undefined && !generator) throw invalid(map.file ? `the script's map is the file '${map.file}': load it` : 'the script brings no map');
        if (generator) checkCells(generator.width * generator.height, this.#library.tables.limits.fileCells);
        const world = generator ? this.generate(generator.kind, withoutKind(generator)) : this.worldFromFile(encoder.encode(rows));
        if (profile.neighbours === 'hex') world.setLayout('hex');
        return world;
    }
}

/* ---- generators ---- */

/* The position of a kind, and its numbers; what is not given is standard. */
function generatorParts(library, kind, numbers) {
    const { generators } = library.tables;
    const at = choice(generators.map((generator) => generator.name), kind, 'kind');
    const generator = generators[at];
    const known = new Set(['width', 'height', 'seed', 'source', ...generator.parameters.map((parameter) => parameter.name)]);
    for (const name of Object.keys(numbers)) {
        if (!known.has(name)) throw invalid(`the generator ${kind} has no number '${name}'; it has ${[...known].join(', ')}`);
    }
    return {
        at, width: wholeNumber(numbers.width ?? generator.width, 'width'), height: wholeNumber(numbers.height ?? generator.height, 'height'),
        seed: seedOf(numbers.seed ?? 1),
        values: Uint32Array.from(generator.parameters, (parameter) => wholeNumber(numbers[parameter.name] ?? parameter.default, parameter.name)),
    };
}

/* ---- scenarios ---- */

/* In the order of the glue's rows: name and range. */
const CELL_MAX = 0x7fffffff;
const PROBLEM_FIELDS = [['bucket', 0, 0xffffffff], ['width', 0, 0xffffffff], ['height', 0, 0xffffffff], ['fromX', 0, CELL_MAX],
    ['fromY', 0, CELL_MAX], ['toX', 0, CELL_MAX], ['toY', 0, CELL_MAX], ['length', 0, 1e12], ['tolerance', 0, 1]];

function numberWithin(value, name, least, most) {
    if (finiteNumber(value, name) < least || value > most) throw invalid(`${name} must be ${least} to ${most}, not ${value}`);
    return name === 'length' ? value : wholeNumber(value, name, most, least);
}

/* What the glue left in its output: rows of numbers, then the map's name. */
function readScenario(library) {
    const count = library.numbers(1)[0];
    const bytes = library.output();
    const width = PROBLEM_FIELDS.length;
    const rows = new Float64Array(bytes.buffer, 0, count * width);
    const problems = Array.from({ length: count }, (_, i) =>
        Object.fromEntries(PROBLEM_FIELDS.map(([name], k) => [name, rows[i * width + k]])));
    return { map: decoder.decode(bytes.subarray(rows.byteLength)), problems };
}

/* ---- pictures ---- */

const PIXEL_MODES = ['auto', 'threshold', 'standard', 'palette'];

function colourBytes({ red, green, blue, open, terrain = 0, layer = 0 }) {
    return [wholeNumber(red, 'red', 255), wholeNumber(green, 'green', 255), wholeNumber(blue, 'blue', 255), open ? 1 : 0,
        wholeNumber(terrain, 'terrain', 255), wholeNumber(layer, 'layer', 255)];
}

/* The text by which the library knows its own pictures. */
const PNG_MARK = 'Software\0Cairn grid 1';

/* The texts of a PNG, keyword, zero and text: chunks are a length, a kind, data and a checksum. */
function pngTexts(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const texts = [];
    for (let at = 8; at + 12 <= bytes.length;) {
        const length = view.getUint32(at);
        const kind = decoder.decode(bytes.subarray(at + 4, at + 8));
        if (kind === 'tEXt') texts.push(decoder.decode(bytes.subarray(at + 8, at + 8 + length)));
        at += 12 + length;
    }
    return texts;
}

/* ---- the registry ---- */

const LAYOUTS = ['square', 'hex'];

function readRegistry(cairn, library) {
    const registry = structuredClone(library.tables);
    for (const algorithm of registry.algorithms) algorithm.aliases = algorithm.aliases.split(' ').filter(Boolean);
    for (const generator of registry.generators) generator.fromSource = generator.width === 0;
    registry.statuses = registry.statuses.map((text, i) => ({ name: STATUS_NAMES[i], text }));
    registry.profile = standardProfile(library, 0);
    findOverlays(cairn, library, registry);
    return registry;
}

/* Which algorithms have something to show: a planner of each is asked, on the smallest world it serves. */
function findOverlays(cairn, library, registry) {
    for (const algorithm of registry.algorithms) {
        algorithm.overlay = false;
        if (!algorithm.worlds.includes('grid')) continue;
        const neighbours = algorithm.neighbours.includes('8') ? '8' : algorithm.neighbours[0];
        const world = cairn.worldFromCells({ width: 4, height: 4, layout: neighbours === 'hex' ? 'hex' : 'square' });
        try {
            const planner = world.space({ neighbours, corners: algorithm.corners[0] }).planner(algorithm.name);
            algorithm.overlay = library.exports.glue_planner_shows(planner.address) !== 0;
        } catch (error) {
            if (!(error instanceof CairnError)) throw error;
        } finally {
            world.destroy();
        }
    }
}

/* ---- worlds ---- */

/* What can be known of a world, by the library's bits; numbers of the glue for each cell that was changed. */
const KNOWN = ['open', 'terrain', 'layer', 'elevation', 'links'];
const CHANGE_WORDS = 5;

/* What a commit leaves in the numbers. */
function committed(library, status) {
    library.check(status);
    const [version, changed] = library.numbers(2);
    return { version, changed };
}

class World extends Handle {
    constructor(library, address) {
        super(library, address, null, 'glue_grid_destroy');
        const about = this.#about();
        this.kind = 'grid';
        [this.width, this.height] = about;
        [this.originX, this.originY, this.cellSize] = about.slice(3, 6);
    }

    #about() {
        this.library.exports.glue_grid_about(this.address);
        return this.library.numbers(9);
    }

    get layout() {
        return LAYOUTS[this.#about()[2]];
    }

    get version() {
        return this.#about()[6];
    }

    get bytes() {
        return this.#about()[7];
    }

    cells() {
        const { library, width, height } = this;
        const count = width * height;
        const block = library.filled(Uint8Array, count * 5, (at) =>
            library.exports.glue_grid_cells(this.address, at + 2 * count, at + 3 * count, at + 4 * count, at));
        return { width, height, open: block.slice(2 * count, 3 * count), terrain: block.slice(3 * count, 4 * count),
            layer: block.slice(4 * count), elevation: new Int16Array(block.buffer.slice(0, 2 * count)) };
    }

    edit({ nodes, open, terrain, layer, elevation }) {
        this.library.checkStill();
        const list = integers(Uint32Array, nodes, 'nodes');
        if (!list) throw invalid('nodes must be given');
        const count = list.length;
        const arrays = [list, integers(Uint8Array, open, 'open', count), integers(Uint8Array, terrain, 'terrain', count),
            integers(Uint8Array, layer, 'layer', count), integers(Int16Array, elevation, 'elevation', count)];
        return this.library.withArrays(arrays, (...at) =>
            committed(this.library, this.library.exports.glue_grid_edit(this.address, count, ...at)));
    }

    /* What the commit that made this version has changed. */
    changes(version = this.version) {
        const { library } = this;
        library.check(library.exports.glue_grid_changes(this.address, wholeNumber(version, 'version', Number.MAX_SAFE_INTEGER)));
        const linksChanged = library.numbers(1)[0] !== 0, words = new Int32Array(library.output().buffer), count = words.length / CHANGE_WORDS;
        const column = (Kind, at) => Kind.from({ length: count }, (_, i) => words[i * CHANGE_WORDS + at]);
        return { nodes: column(Uint32Array, 0), open: column(Uint8Array, 1), terrain: column(Uint8Array, 2), layer: column(Uint8Array, 3),
            elevation: column(Int16Array, 4), linksChanged };
    }

    addLinks(links) {
        this.library.checkStill();
        const words = new Uint32Array(links.flatMap((link) => ['from', 'to', 'id', 'cost', 'kind'].map((name) =>
            wholeNumber(link[name] ?? (name === 'kind' ? 0 : undefined), name))));
        return this.library.withArrays([words], (at) =>
            committed(this.library, this.library.exports.glue_grid_add_links(this.address, links.length, at)));
    }

    removeLinks(ids) {
        this.library.checkStill();
        const list = integers(Uint32Array, ids, 'ids');
        return this.library.withArrays([list], (at) =>
            committed(this.library, this.library.exports.glue_grid_remove_links(this.address, list.length, at)));
    }

    links() {
        const count = this.#about()[8];
        const words = this.library.filled(Uint32Array, count * 5, (at) => this.library.exports.glue_grid_links(this.address, at));
        return Array.from({ length: count }, (_, i) => {
            const [from, to, id, cost, kind] = words.subarray(i * 5);
            return { from, to, id, cost, kind };
        });
    }

    obstacles() {
        const { library } = this;
        library.checkStill();
        return new Obstacles(library, library.made(library.exports.glue_obstacles_create(this.address)), this);
    }

    setLayout(layout) {
        this.library.check(this.library.exports.glue_grid_set_layout(this.address, choice(LAYOUTS, layout, 'layout')));
    }

    known(what = [], terrain = 0) {
        const { library } = this;
        const names = what === 'all' ? KNOWN : what;
        if (!Array.isArray(names)) throw invalid(`what must be 'all' or a list of ${KNOWN.join(', ')}`);
        const bits = names.reduce((set, name) => set | (1 << choice(KNOWN, name, 'what')), 0), ground = wholeNumber(terrain, 'terrain', 255);
        return new World(library, library.made(library.exports.glue_grid_known(this.address, bits, ground)));
    }

    toMap() {
        this.library.check(this.library.exports.glue_grid_map(this.address));
        return this.library.output();
    }

    /* The rows of the map without its four lines of header. */
    toText() {
        const map = this.toMap();
        let start = 0;
        for (let line = 0; line < 4; line++) start = map.indexOf(10, start) + 1;
        return map.slice(start);
    }

    toArchive({ profile, query, algorithm } = {}) {
        const { library } = this;
        const { numbers, prices } = profile ? profileParts(library, this.address, profile) : { numbers: PROFILE_FIELDS.map(() => 0), prices: null };
        const asked = query ? queryNumbers(query) : { numbers: [], goals: null };
        const spec = algorithm === undefined ? null : encoder.encode(`${algorithm}\0`);
        library.withArrays([prices, asked.goals, spec], (pricesAt, goalsAt, specAt) => {
            library.setNumbers([...numbers, ...asked.numbers]);
            library.check(library.exports.glue_grid_archive(this.address, pricesAt, query ? 1 : 0, goalsAt, asked.goals?.length ?? 0, specAt));
        });
        return library.output();
    }

    generateScenario({ count, seed = 1, map = 'map', lowestBucket = 0, highestBucket = 0, progress }) {
        const { library } = this;
        const numbers = [wholeNumber(count, 'count'), seedOf(seed), wholeNumber(lowestBucket, 'lowestBucket'), wholeNumber(highestBucket, 'highestBucket')];
        library.withText(map, (at) => library.withProgress(progress, (wanted) =>
            library.exports.glue_scenario_generate(this.address, at, ...numbers, wanted)));
        return readScenario(library);
    }

    space(profile = {}) {
        return new Space(this.library, makeSpace(this.library, this, profile), this);
    }
}

const LEAST_CELL = -CELL_MAX - 1;

/* Numbers with 64 bits. */
function numberOf(value, name, origin) {
    if (typeof value !== 'bigint') throw invalid(`${name} must be a BigInt that ${origin}() returned, not ${String(value)}`);
    return value;
}

class Obstacles extends Handle {
    constructor(library, address, world) {
        super(library, address, world, 'glue_obstacles_destroy');
        this.world = world;
    }

    #about() {
        this.library.exports.glue_obstacles_about(this.address);
        return this.library.numbers(2);
    }

    get count() {
        return this.#about()[0];
    }

    get bytes() {
        return this.#about()[1];
    }

    put({ x, y, width = 1, height = 1, cost = 0, ticks = 0 }) {
        const { library, address } = this;
        library.checkStill();
        library.setNumbers([wholeNumber(x, 'x', CELL_MAX, LEAST_CELL), wholeNumber(y, 'y', CELL_MAX, LEAST_CELL), wholeNumber(width, 'width', undefined, 1),
            wholeNumber(height, 'height', undefined, 1), wholeNumber(cost, 'cost', 255), wholeNumber(ticks, 'ticks')]);
        return BigInt.asUintN(64, library.exports.glue_obstacles_put(address)) || library.fail();
    }

    #change(call, obstacle, ...rest) {
        this.library.checkStill();
        this.library.check(this.library.exports[call](this.address, numberOf(obstacle, 'an obstacle', 'put'), ...rest));
    }

    move(obstacle, x, y) {
        this.#change('glue_obstacles_move', obstacle, wholeNumber(x, 'x', CELL_MAX, LEAST_CELL), wholeNumber(y, 'y', CELL_MAX, LEAST_CELL));
    }

    renew(obstacle, ticks = 0) {
        this.#change('glue_obstacles_renew', obstacle, wholeNumber(ticks, 'ticks'));
    }

    remove(obstacle) {
        this.#change('glue_obstacles_remove', obstacle);
    }

    clear() {
        this.library.checkStill();
        this.library.exports.glue_obstacles_clear(this.address);
    }

    tick() {
        const { library, address } = this;
        library.checkStill();
        return committed(library, library.exports.glue_obstacles_tick(address, this.world.address));
    }

    ownState(x, y) {
        this.library.exports.glue_obstacles_own_state(this.address, wholeNumber(x, 'x', CELL_MAX, LEAST_CELL), wholeNumber(y, 'y', CELL_MAX, LEAST_CELL));
        const [open, terrain, layer, elevation] = this.library.numbers(4);
        return { open: open !== 0, terrain, layer, elevation };
    }
}

class GraphWorld extends Handle {
    constructor(library, address) {
        super(library, address, null, 'glue_graph_destroy');
        this.kind = 'graph';
        [this.nodeCount, this.edgeCount] = this.#about();
    }

    #about() {
        this.library.exports.glue_graph_about(this.address);
        return this.library.numbers(3);
    }

    get bytes() {
        return this.#about()[2];
    }

    positions() {
        return this.library.filled(Float64Array, this.nodeCount * 2, (at) => this.library.exports.glue_graph_positions(this.address, at));
    }

    space() {
        return new Space(this.library, this.library.made(this.library.exports.glue_space_of_graph(this.address)), this);
    }
}

/* ---- profiles ---- */

const NEIGHBOURS = ['4', '8', 'hex'];
const CORNERS = ['never', 'one', 'always'];
const ANY_STEP = 0x7fffffff, COST_SCALE_AUTO = 0xffffffff;

/* In the order of the glue's numbers: name, to a number, from a number. */
const PROFILE_FIELDS = [
    ['neighbours', (value) => choice(NEIGHBOURS, String(value), 'neighbours'), (number) => NEIGHBOURS[number]],
    ['corners', (value) => choice(CORNERS, value, 'corners'), (number) => CORNERS[number]],
    ['layerWeight', (value) => wholeNumber(value, 'layerWeight', 0xffff), (number) => number],
    ['gradient', (value) => wholeNumber(value, 'gradient', 0xffff), (number) => number],
    ['maxClimb', (value) => stepLimit(value, 'maxClimb'), (number) => (number === ANY_STEP ? null : number)],
    ['maxDrop', (value) => stepLimit(value, 'maxDrop'), (number) => (number === ANY_STEP ? null : number)],
    ['costScale', (value) => (value === null ? COST_SCALE_AUTO : wholeNumber(value, 'costScale')), (number) => (number === COST_SCALE_AUTO ? null : number)],
    ['radius', (value) => finiteNumber(value, 'radius'), (number) => number],
    ['footprint', (value) => wholeNumber(value, 'footprint'), (number) => number],
    ['links', (value) => wholeNumber(value, 'links'), (number) => number],
];

function stepLimit(value, name) {
    return value === null ? ANY_STEP : wholeNumber(value, name, ANY_STEP, -ANY_STEP);
}

/* `fill` writes the prices, in 256ths, to an address, and the rest to the numbers. */
function readProfile(library, fill) {
    const terrainCost = Float64Array.from(library.filled(Uint16Array, 256, fill), (price) => price / 256);
    const numbers = library.numbers(PROFILE_FIELDS.length);
    const profile = Object.fromEntries(PROFILE_FIELDS.map(([name, , from], i) => [name, from(numbers[i])]));
    return { ...profile, terrainCost };
}

/* The library's default for a grid; 0 = for none. */
function standardProfile(library, grid) {
    return readProfile(library, (at) => library.exports.glue_profile_for(grid, at));
}

/* A price in 256ths: the nearest one, but 0 only for 0. */
function terrainPrice(price) {
    if (!(finiteNumber(price, 'a price') >= 0 && price < 256)) throw invalid(`a price is ${price}: it must be 0 to 255.99`);
    return price === 0 ? 0 : Math.min(0xffff, Math.max(1, Math.round(price * 256)));
}

/* Prices by number or name, over the standard ones, in 256ths. */
function terrainPrices(library, given, standard) {
    const prices = Uint16Array.from(standard, terrainPrice);
    if (given === undefined) return prices;
    if (typeof given.length === 'number') {
        if (given.length !== 256) throw invalid(`terrainCost has ${given.length} numbers, 256 are needed`);
        return Uint16Array.from(given, terrainPrice);
    }
    for (const [key, price] of Object.entries(given)) {
        const named = library.tables.terrains.indexOf(key);
        prices[named >= 0 ? named : wholeNumber(Number(key), 'a terrain class', 255)] = terrainPrice(price);
    }
    return prices;
}

/* The numbers and prices of a profile, for a grid (0 = none); what is not given is standard. */
function profileParts(library, grid, given) {
    const standard = standardProfile(library, grid);
    const known = new Set([...PROFILE_FIELDS.map(([name]) => name), 'terrainCost']);
    for (const name of Object.keys(given)) {
        if (!known.has(name)) throw invalid(`a profile has no '${name}'; it has ${[...known].join(', ')}`);
    }
    const numbers = PROFILE_FIELDS.map(([name, to]) => to(given[name] === undefined ? standard[name] : given[name]));
    return { numbers, prices: terrainPrices(library, given.terrainCost, standard.terrainCost) };
}

function makeSpace(library, world, given) {
    const { numbers, prices } = profileParts(library, world.address, given);
    return library.withArrays([prices], (at) => {
        library.setNumbers(numbers);
        return library.made(library.exports.glue_space_of_grid(world.address, at));
    });
}

/* ---- spaces ---- */

const REACH = ['no', 'yes', 'maybe'];
const NO_NODE = 0xffffffff, NO_COST = 0xffffffff;

/* Steps of an explanation, in the library's order. */
const STEP_X = [0, 1, 0, -1, 1, 1, -1, -1];
const STEP_Y = [-1, 0, 1, 0, -1, 1, 1, -1];

function nodeOrNull(node) {
    return node === NO_NODE ? null : node;
}

class Space extends Handle {
    constructor(library, address, world) {
        super(library, address, world, 'glue_space_destroy');
        this.kind = world.kind;
        this.world = world;
        const [straight, diagonal, nodeCount] = this.#about();
        this.scale = { straight, diagonal };
        this.nodeCount = nodeCount;
        this.profile = world.kind === 'grid' ? readProfile(library, (at) => library.exports.glue_space_profile(address, at)) : null;
    }

    #about() {
        this.library.exports.glue_space_about(this.address);
        return this.library.numbers(6);
    }

    get bytes() {
        return this.#about()[3];
    }

    get version() {
        return this.#about()[4];
    }

    get directed() {
        return this.#about()[5] !== 0;
    }

    get hash() {
        return hex64(this.library.exports.glue_space_hash(this.address));
    }

    #node(value, name) {
        return wholeNumber(value, name);
    }

    usable() {
        return this.library.filled(Uint8Array, this.nodeCount, (at) => this.library.exports.glue_space_usable(this.address, at));
    }

    components() {
        const words = this.library.filled(Uint32Array, this.nodeCount * 2, (at) =>
            this.library.exports.glue_space_components(this.address, at));
        return compactRegions(words);
    }

    clearance(limit = 16) {
        wholeNumber(limit, 'limit', 64, 1);
        return this.library.filled(Float32Array, this.nodeCount, (at) =>
            this.library.check(this.library.exports.glue_space_clearance(this.address, limit, at)));
    }

    dropClearance() {
        this.library.check(this.library.exports.glue_space_clearance(this.address, 0, 0));
    }

    explain(x, y) {
        const { library } = this;
        const range = 0x7fffffff;
        const region = library.exports.glue_space_explain(this.address, wholeNumber(x, 'x', range, -range), wholeNumber(y, 'y', range, -range));
        const numbers = library.numbers(12);
        const lines = library.outputText().split('\n');
        if (lines.length < 9) library.fail();
        const steps = lines.slice(1).map((name, i) => ({ name, x: x + STEP_X[i], y: y + STEP_Y[i], reason: library.reason(numbers[4 + i]) }));
        return { reason: library.reason(numbers[0]), terrain: numbers[1], clearance: numbers[2], obstacle: nodeOrNull(numbers[3]),
            region: BigInt.asUintN(64, region).toString(), steps: steps.filter((step) => step.name), text: lines[0] };
    }

    upkeep() {
        this.library.exports.glue_space_upkeep(this.address);
        const [rowsEroded, cellsCleared, tilesLabelled, blocksJoined] = this.library.numbers(4);
        return { rowsEroded, cellsCleared, tilesLabelled, blocksJoined };
    }

    reachable(from, to) {
        return REACH[this.library.exports.glue_reachable(this.address, this.#node(from, 'from'), this.#node(to, 'to'))];
    }

    raycast(from, to) {
        const clear = this.library.exports.glue_raycast(this.address, this.#node(from, 'from'), this.#node(to, 'to')) !== 0;
        return { clear, last: nodeOrNull(this.library.numbers(1)[0]) };
    }

    estimate(heuristic, from, to) {
        const cost = this.library.exports.glue_estimate(this.address, this.library.heuristic(heuristic), this.#node(from, 'from'), this.#node(to, 'to')) >>> 0;
        return cost === NO_COST ? null : cost;
    }

    admissible(heuristic) {
        return this.library.exports.glue_admissible(this.address, this.library.heuristic(heuristic)) !== 0;
    }

    stepCost(from, to) {
        const cost = this.library.exports.glue_step_cost(this.address, this.#node(from, 'from'), this.#node(to, 'to')) >>> 0;
        return cost === NO_COST ? null : cost;
    }

    nearestReachable(from, to) {
        this.library.check(this.library.exports.glue_nearest_reachable(this.address, this.#node(from, 'from'), this.#node(to, 'to')));
        return this.library.numbers(1)[0];
    }

    randomReachable(from, seed) {
        this.library.check(this.library.exports.glue_random_reachable(this.address, this.#node(from, 'from'), seedOf(seed)));
        return this.library.numbers(1)[0];
    }

    position(node) {
        this.library.exports.glue_position(this.address, this.#node(node, 'node'));
        const [x, y, z] = this.library.numbers(3);
        return { x, y, z };
    }

    nodeAt(x, y, z = 0) {
        return nodeOrNull(this.library.exports.glue_node_at(this.address, Number(x), Number(y), Number(z)) >>> 0);
    }

    pathCells(result) {
        if (!result.points.length) return new Uint32Array(0);
        withPath(this, result, 'glue_path_cells');
        return words(this.library.output());
    }

    check(result) {
        withPath(this, result, 'glue_path_valid');
        const [valid, cost, from, to] = this.library.numbers(4);
        return { valid: valid !== 0, cost: cost === NO_COST ? null : cost, from: nodeOrNull(from), to: nodeOrNull(to) };
    }

    smooth(result, kind, options) {
        withPath(this, result, 'glue_path_smooth', smoothNumbers(kind, options));
        const [count, length, cost, hasNodes] = this.library.numbers(4);
        const bytes = this.library.output();
        const smoothed = { points: new Float64Array(bytes.buffer, 0, count * 2).slice(), length };
        if (hasNodes) smoothed.nodes = new Uint32Array(bytes.buffer, count * 16, count).slice();
        if (cost !== NO_COST) smoothed.cost = cost;
        return smoothed;
    }

    svg({ planner, query, colour = 'order', legend = true, overlay, smooth, smoothOptions, path = true, scale = 0 } = {}) {
        const { library } = this;
        if (planner && planner.space !== this) throw invalid('the planner must be one of this space');
        if (query && !planner) throw invalid('a query needs a planner');
        const asked = query ? queryNumbers(query) : { numbers: [0, 0, 0, 0, 0, 0, 0, 0], goals: null };
        const numbers = [...asked.numbers, choice(library.tables.colourings, colour, 'colour'), legend ? 1 : 0,
            overlay === undefined ? -1 : wholeNumber(overlay, 'overlay'), ...(smooth ? smoothNumbers(smooth, smoothOptions) : [-1, 0, 0, 0]),
            path ? 1 : 0, wholeNumber(scale, 'scale'), query ? 1 : 0];
        library.withArrays([asked.goals], (at) => {
            library.setNumbers(numbers);
            library.check(library.exports.glue_svg(this.address, planner ? planner.address : 0, at, asked.goals ? asked.goals.length : 0));
        });
        return library.outputText();
    }

    planner(spec) {
        return new Planner(this.library, this.library.withText(spec, (at) =>
            this.library.made(this.library.exports.glue_planner_create(this.address, at))), this, String(spec));
    }
}

/* ---- paths ---- */

const SMOOTH_KINDS = ['sight', 'string', 'rays', 'box', 'spline'];
const SIGHT = 0, RAYS = 1, SPLINE = 2, BOX = 16;

/* The glue's numbers of a way to smooth: kind, box, reach, spacing. */
function smoothNumbers(kind, { box = BOX, reach = 0, spacing = 0 } = {}) {
    choice(SMOOTH_KINDS, kind, 'kind');
    const how = kind === 'spline' ? SPLINE : kind === 'rays' || kind === 'box' ? RAYS : SIGHT;
    return [how, kind === 'box' ? wholeNumber(box, 'box', 32768, 1) : 0, finiteNumber(reach, 'reach'), finiteNumber(spacing, 'spacing')];
}

/* Calls a function on paths with the points and links of a result. */
function withPath(space, result, call, numbers = []) {
    const { library } = space;
    const links = Uint32Array.from((result.links ?? []).flatMap(({ at, id }) => [at, id]));
    const points = integers(Uint32Array, result.points, 'points');
    library.withArrays([points, links], (at, linksAt) => {
        library.setNumbers(numbers);
        library.check(library.exports[call](space.address, at, points.length, linksAt, links.length / 2, result.anyAngle ? 1 : 0));
    });
}

function words(bytes) {
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/* Regions have numbers of 64 bits, two words each: from 1 on instead, in the order in which they are met. */
function compactRegions(words) {
    const out = new Uint32Array(words.length / 2);
    const numbers = new Map();
    let low = 0, high = 0, number = 0;
    for (let i = 0; i < out.length; i++) {
        const nowLow = words[2 * i], nowHigh = words[2 * i + 1];
        if (nowLow !== low || nowHigh !== high) {
            [low, high] = [nowLow, nowHigh];
            const key = `${high},${low}`;
            if (!low && !high) number = 0;
            else if (numbers.has(key)) number = numbers.get(key);
            else numbers.set(key, (number = numbers.size + 1));
        }
        out[i] = number;
    }
    return out;
}

function hex64(value) {
    return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
}

/* ---- planners ---- */

class Planner extends Handle {
    #buildMs = 0;

    constructor(library, address, space, spec) {
        super(library, address, space, 'glue_planner_destroy');
        this.space = space;
        this.spec = spec;
        this.algorithm = library.text(library.exports.glue_planner_name(address));
        this.parameters = readParameters(library, this);
    }

    #about() {
        this.library.exports.glue_planner_about(this.address);
        return this.library.numbers(3);
    }

    get optimal() {
        return this.#about()[0] !== 0;
    }

    get state() {
        return STATUS_NAMES[this.#about()[1]];
    }

    get indexBytes() {
        return this.#about()[2];
    }

    get buildMs() {
        return this.#buildMs;
    }

    #timed(work, progress) {
        const { library, address } = this;
        const start = performance.now();
        library.withProgress(progress, (wanted) => library.exports[work](address, wanted));
        this.#buildMs = performance.now() - start;
    }

    build(progress) {
        this.#timed('glue_planner_build', progress);
    }

    sync(progress) {
        this.#timed('glue_planner_sync', progress);
    }

    /* The index as a `.cairn` file, and back. */
    saveIndex() {
        this.library.check(this.library.exports.glue_planner_save(this.address));
        return this.library.output();
    }

    loadIndex(bytes) {
        this.library.checkStill();
        this.library.withArrays([bytes], (at) => this.library.check(this.library.exports.glue_planner_load(this.address, at, bytes.length)));
    }

    overlay(layer = 0) {
        this.library.check(this.library.exports.glue_planner_overlay(this.address, wholeNumber(layer, 'layer')));
        const counts = this.library.numbers(4);
        return readOverlay(counts, this.library.output());
    }

    posthoc(query) {
        const { library } = this;
        const { numbers, goals } = queryNumbers(query);
        library.withArrays([goals], (at) => {
            library.setNumbers(numbers);
            library.check(library.exports.glue_posthoc(this.space.address, this.address, at, goals ? goals.length : 0));
        });
        return library.outputText();
    }

    navigator({ replan = 'blocked', work = 0, piece = 0, byteLimit = 0 } = {}) {
        const { library } = this;
        const numbers = [choice(library.tables.replans, replan, 'replan'), wholeNumber(work, 'work', WORK_MAX), wholeNumber(piece, 'piece'),
            wholeNumber(byteLimit, 'byteLimit')];
        const { address } = this;
        library.setNumbers(numbers);
        return new Navigator(library, library.made(library.exports.glue_navigator_create(address)), this);
    }

    search({ byteLimit = 0 } = {}) {
        return new Search(this.library, this.library.made(
            this.library.exports.glue_search_create(this.address, wholeNumber(byteLimit, 'byteLimit'))), this);
    }
}

/* Items of the glue: eight words each. Kinds in the library's order; for each of them where its columns are. */
const OVERLAY_WORDS = 8;
const LINE = { x0: [Float32Array, 0], y0: [Float32Array, 1], x1: [Float32Array, 2], y1: [Float32Array, 3], layer: [Uint8Array, 6] };
const OVERLAY_KINDS = [
    ['areas', { node: [Uint32Array, 4], group: [Uint32Array, 5], layer: [Uint8Array, 6] }],
    ['borders', LINE],
    ['nodes', { x: [Float32Array, 0], y: [Float32Array, 1], node: [Uint32Array, 4], group: [Uint32Array, 5], layer: [Uint8Array, 6] }],
    ['edges', { ...LINE, cost: [Uint32Array, 7] }],
];

function readOverlay(counts, bytes) {
    const asIntegers = words(bytes), asFloats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const overlay = { layers: [] };
    let first = 0;
    OVERLAY_KINDS.forEach(([name, columns], kind) => {
        const column = ([Kind, at]) => {
            const from = Kind === Float32Array ? asFloats : asIntegers, start = first, values = new Kind(counts[kind]);
            for (let i = 0; i < values.length; i++) values[i] = from[start + i * OVERLAY_WORDS + at];
            return values;
        };
        overlay[name] = Object.fromEntries(Object.entries(columns).map(([key, place]) => [key, column(place)]));
        first += counts[kind] * OVERLAY_WORDS;
        overlay.layers.push(...new Set(overlay[name].layer));
    });
    overlay.layers = [...new Set(overlay.layers)].sort((a, b) => a - b);
    return overlay;
}

/* The values in force by name. */
function readParameters(library, planner) {
    const algorithm = library.tables.algorithms.find((known) => known.name === planner.algorithm);
    return Object.fromEntries(algorithm.parameters.map((parameter, i) => {
        const value = library.exports.glue_planner_parameter(planner.address, i);
        return [parameter.name, parameter.type === 'choice' ? parameter.choices[value] : parameter.type === 'number' ? value / 256 : value];
    }));
}

/* ---- searches ---- */

const GOAL_KINDS = ['at', 'next-to', 'within', 'none'];
const METRICS = ['work', 'expanded', 'generated', 'reopened', 'pushes', 'peakBytes', 'lines'];
const TRACE_LIMIT = 4e6;
const WORK_MAX = Number.MAX_SAFE_INTEGER;

/* The numbers of a query, in the glue's order, and its goals. */
function queryNumbers(query) {
    const numbers = [wholeNumber(query.from, 'from'), wholeNumber(query.to ?? NO_NODE, 'to'),
        choice(GOAL_KINDS, query.goalKind ?? 'at', 'goalKind'), finiteNumber(query.radius ?? 0, 'radius'),
        wholeNumber(query.maxCost ?? 0, 'maxCost'), wholeNumber(query.maxWork ?? 0, 'maxWork', WORK_MAX),
        query.partial ? 1 : 0, wholeNumber(query.piece ?? 0, 'piece')];
    return { numbers, goals: integers(Uint32Array, query.goals, 'goals') };
}

/* What a `.cairn` file holds besides its world; in queries, what is as usual is left out. */
function readContents(library, data) {
    const profile = library.withArrays([data], (at) => readProfile(library, (prices) =>
        library.check(library.exports.glue_archive_contents(at, data.length, prices))));
    const [hasProfile, hasQuery, from, to, goalKind, radius, maxCost, maxWork, partial] = library.numbers(19).slice(PROFILE_FIELDS.length);
    const { algorithm, index, goals } = JSON.parse(library.outputText());
    const query = {
        from, ...(to !== NO_NODE && { to }), ...(goals && { goals }), ...(goalKind && { goalKind: GOAL_KINDS[goalKind] }), ...(radius && { radius }),
        ...(maxCost && { maxCost }), ...(maxWork && { maxWork: Math.min(maxWork, WORK_MAX) }), ...(partial && { partial: true }),
    };
    return { ...(hasProfile && { profile }), ...(hasQuery && { query }), ...(algorithm && { algorithm }), ...(index && { index }) };
}

class Search extends Handle {
    constructor(library, address, planner) {
        super(library, address, planner, 'glue_search_destroy');
        this.planner = planner;
    }

    begin(query) {
        const { library } = this;
        const { numbers, goals } = queryNumbers(query);
        return library.withArrays([goals], (at) => {
            library.setNumbers(numbers);
            return searchStatus(library.exports.glue_search_begin(this.address, at, goals ? goals.length : 0));
        });
    }

    step(work) {
        return searchStatus(this.library.exports.glue_search_step(this.address, wholeNumber(work, 'work', WORK_MAX)));
    }

    find(query) {
        if (this.begin(query) === 'running') while (this.step(WORK_MAX) === 'running');
        return this.result();
    }

    beginNext() {
        const status = searchStatus(this.library.exports.glue_search_begin_next(this.address));
        if (status === 'invalid') throw invalid('there is no next piece');
        return status;
    }

    findNext() {
        if (this.beginNext() === 'running') while (this.step(WORK_MAX) === 'running');
        return this.result();
    }

    cancel() {
        this.library.exports.glue_search_cancel(this.address);
    }

    result() {
        const { library } = this;
        const hash = library.exports.glue_search_result(this.address);
        const numbers = library.numbers(METRICS.length + 1 + PATH_NUMBERS), metrics = metricsOf(library, numbers);
        return new Result(this.planner.space, {
            ...pathOf(library, hash, numbers.slice(METRICS.length + 1)), metrics, peakBytes: metrics.peakBytes, answeredBy: metrics.answeredBy,
        });
    }

    metrics() {
        this.library.exports.glue_search_metrics(this.address);
        return metricsOf(this.library, this.library.numbers(METRICS.length + 1));
    }

    trace(on) {
        this.library.exports.glue_search_watch(this.address, traceLimit(on));
    }

    takeTrace() {
        return readTrace(this.library, this.library.exports.glue_search_trace(this.address));
    }

    costTo(node) {
        const cost = this.library.exports.glue_search_cost_to(this.address, wholeNumber(node, 'node')) >>> 0;
        return cost === NO_COST ? null : cost;
    }

    costs() {
        const { library, planner } = this;
        const count = planner.space.nodeCount;
        return library.filled(Uint32Array, count, (at) => {
            library.array(Uint32Array, at, count).fill(NO_COST);
            library.check(library.exports.glue_search_costs(this.address, at));
        });
    }
}

/* ---- traces ---- */

const TRACE_FIELDS = { kind: Uint8Array, layer: Uint8Array, node: Uint32Array, parent: Uint32Array, g: Uint32Array, h: Uint32Array };

function traceLimit(on) {
    return on === true ? TRACE_LIMIT : on ? wholeNumber(on.limit ?? TRACE_LIMIT, 'limit', WORK_MAX, 1) : 0;
}

/* What the store holds, which is then empty. */
function readTrace(library, store) {
    library.exports.glue_trace_about(store);
    const [total, kept, blockSize] = library.numbers(3);
    const names = Object.keys(TRACE_FIELDS);
    const trace = Object.fromEntries(names.map((name) => [name, new TRACE_FIELDS[name](kept)]));
    for (let first = 0; first < kept; first += blockSize) {
        library.exports.glue_trace_block(store, first / blockSize);
        const at = library.numbers(names.length);
        const count = Math.min(blockSize, kept - first);
        names.forEach((name, i) => trace[name].set(library.array(TRACE_FIELDS[name], at[i], count), first));
    }
    library.exports.glue_trace_forget(store);
    return { ...trace, total, cut: total > kept };
}

/* ---- answers ---- */

function searchStatus(status) {
    return status ? STATUS_NAMES[status] : 'found';
}

/* Behind the numbers stands the position in the registry of the algorithm that answered, or -1. */
function metricsOf(library, numbers) {
    const answeredBy = library.tables.algorithms[numbers[METRICS.length]]?.name ?? null;
    return { ...Object.fromEntries(METRICS.map((name, i) => [name, numbers[i]])), answeredBy };
}

function linkPairs(bytes) {
    const words = new Uint32Array(bytes.buffer, 0, bytes.length / 4);
    return Array.from({ length: words.length / 2 }, (_, i) => ({ at: words[2 * i], id: words[2 * i + 1] }));
}

/* What glue_write_path wrote. */
const PATH_NUMBERS = 11;
function pathOf(library, hash, [status, partial, end, count, cost, length, bound, version, anyAngle, , pointsAt]) {
    const points = count ? library.array(Uint32Array, pointsAt, count).slice() : new Uint32Array(0);
    return {
        status: searchStatus(status), statusText: status ? library.statusText(status) : 'found', partial: partial !== 0, end: nodeOrNull(end), points,
        cost: cost === NO_COST ? null : cost, length, bound, anyAngle: anyAngle !== 0, links: linkPairs(library.output()), version, hash: hex64(hash),
    };
}

class Result {
    #space;

    constructor(space, fields) {
        this.#space = space;
        Object.assign(this, fields);
    }

    cells() {
        return this.#space.pathCells(this);
    }
}

/* ---- agents that walk ---- */

/* In the glue's order. */
const MOVE_FIELDS = ['kind', 'status', 'from', 'to', 'arrived', 'linked', 'link', 'cost', 'work', 'expanded', 'plans', 'pieces', 'syncs', 'broken', 'seen'];
const SUM_FIELDS = ['calls', 'moves', 'cost', 'work', 'mostWork', 'expanded', 'plans', 'pieces', 'syncs', 'breaks', 'seen', 'peakBytes', 'bytes'];

function moveOf(library, numbers) {
    const { linked, ...move } = Object.fromEntries(MOVE_FIELDS.map((name, i) => [name, numbers[i]]));
    return {
        ...move, kind: library.tables.moves[move.kind], status: STATUS_NAMES[move.status], statusText: move.status ? library.statusText(move.status) : 'ok',
        from: nodeOrNull(move.from), to: nodeOrNull(move.to), arrived: move.arrived !== 0, link: linked ? move.link : null, broken: move.broken !== 0,
    };
}

class Navigator extends Handle {
    constructor(library, address, planner) {
        super(library, address, planner, 'glue_navigator_destroy');
        this.planner = planner;
        this.truth = null;
    }

    setSensor(truth, range) {
        const { library } = this;
        if (truth !== null && !(truth instanceof Space && truth.library === library)) throw invalid('truth must be a space of this instance, or null');
        const cells = truth ? wholeNumber(range, 'range', library.tables.limits.sensorMax, 1) : 0;
        library.check(library.exports.glue_navigator_sensor(this.address, truth ? truth.address : 0, cells));
        this.truth = truth;
    }

    start(from, to) {
        this.library.check(this.library.exports.glue_navigator_start(this.address, wholeNumber(from, 'from'), wholeNumber(to, 'to')));
    }

    moved(at) {
        this.library.check(this.library.exports.glue_navigator_moved(this.address, wholeNumber(at, 'at')));
    }

    retarget(to) {
        this.library.check(this.library.exports.glue_navigator_retarget(this.address, wholeNumber(to, 'to')));
    }

    next() {
        this.library.checkStill();
        this.library.exports.glue_navigator_next(this.address);
        return moveOf(this.library, this.library.numbers(MOVE_FIELDS.length));
    }

    #about() {
        this.library.exports.glue_navigator_about(this.address);
        return this.library.numbers(2 + SUM_FIELDS.length);
    }

    get at() {
        return nodeOrNull(this.#about()[0]);
    }

    get goal() {
        return nodeOrNull(this.#about()[1]);
    }

    sums() {
        const numbers = this.#about();
        return Object.fromEntries(SUM_FIELDS.map((name, i) => [name, numbers[2 + i]]));
    }

    ahead() {
        const { library } = this;
        const count = library.exports.glue_navigator_ahead(this.address, 0, 0);
        return library.filled(Uint32Array, count, (at) => library.exports.glue_navigator_ahead(this.address, at, count));
    }

    subgoals() {
        const { library } = this;
        const count = library.exports.glue_navigator_subgoals(this.address, 0, 0);
        return library.filled(Uint32Array, count, (at) => library.exports.glue_navigator_subgoals(this.address, at, count));
    }

    trace(on) {
        this.library.exports.glue_navigator_watch(this.address, traceLimit(on));
    }

    takeTrace() {
        return readTrace(this.library, this.library.exports.glue_navigator_trace(this.address));
    }

    walk(script) {
        const { world } = this.planner.space;
        if (world.kind !== 'grid') throw invalid('scripts are for grids');
        const node = ({ x, y }, name) => wholeNumber(y, name, world.height - 1) * world.width + wholeNumber(x, name, world.width - 1);
        const walk = new ScriptWalk(this.library, makeScript(this.library, script), this);
        try {
            this.start(node(script.from, 'from'), node(script.to, 'to'));
        } catch (error) {
            walk.destroy();
            throw error;
        }
        return walk;
    }
}

/* ---- path services ---- */

const PRIORITY_MAX = 15;
const SHORTCUTS = ['never', 'possible', 'always'];
const FRAME_FIELDS = ['used', 'undivided', 'debt', 'answered', 'expired', 'waiting', 'running', 'restarts', 'pinned', 'outdated', 'broken', 'shortcuts', 'beside'];
const USE_FIELDS = ['frames', 'requests', 'refused', 'shared', 'tickets', 'followed', 'searches', 'bytes', 'peakBytes', 'meanBytes', 'varianceBytes', 'copyBytes', 'failedSyncs'];
const SHARE_AUTO = 0, SHARE_NEVER = 0xffffffff;

const now = () => performance.now() * 1000;

const ticketOf = (value) => numberOf(value, 'a ticket', 'request');

class Service extends Handle {
    #planners = [];
    #tickets = new Map(); // → { space, answer }

    constructor(library, address) {
        super(library, address, null, 'glue_service_destroy');
    }

    /* The service goes with the first of its planners. */
    add(planner, { searches = 0, searchBytes = 0, background = 'auto' } = {}) {
        const { library } = this;
        if (!(planner instanceof Planner && planner.library === library)) throw invalid('planner must be a planner of this instance');
        const beside = background === 'auto' ? SHARE_AUTO : background === 'never' ? SHARE_NEVER : wholeNumber(background, 'background');
        const numbers = [wholeNumber(searches, 'searches'), wholeNumber(searchBytes, 'searchBytes'), beside], { address } = this, of = planner.address;
        library.setNumbers(numbers);
        library.check(library.exports.glue_service_add(address, of));
        planner.adopt(this);
        return this.#planners.push(planner) - 1;
    }

    destroy() {
        const wasThere = !this.destroyed;
        super.destroy();
        if (wasThere) for (const planner of this.#planners) planner.leave(this);
        this.#tickets.clear();
    }

    request({ planner = 0, from, to, priority = 0, deadline = 0, maxWork = 0, partial = false, piece = 0, answer = null }) {
        const { library, address } = this;
        if (answer !== null && typeof answer !== 'function') throw invalid('answer must be a function');
        const numbers = [wholeNumber(planner, 'planner', Math.max(0, this.#planners.length - 1)), wholeNumber(from, 'from'), wholeNumber(to, 'to'), wholeNumber(priority, 'priority', PRIORITY_MAX),
            wholeNumber(deadline, 'deadline'), wholeNumber(maxWork, 'maxWork', WORK_MAX), partial ? 1 : 0, wholeNumber(piece, 'piece'), answer ? 1 : 0];
        if (!this.#planners.length) throw invalid('this service has no planner');
        library.setNumbers(numbers);
        const ticket = BigInt.asUintN(64, library.exports.glue_service_request(address));
        if (!ticket) library.fail();
        this.#tickets.set(ticket, { space: this.#planners[planner].space, answer });
        return ticket;
    }

    status(ticket) {
        return searchStatus(this.library.exports.glue_service_status(this.address, ticketOf(ticket)));
    }

    answer(ticket) {
        const { library } = this, status = this.status(ticket);
        if (status === 'invalid') throw invalid('there is no such ticket');
        if (status === 'running') return null;
        const hash = library.exports.glue_service_answer(this.address, ticket);
        return new Result(this.#tickets.get(ticket).space, pathOf(library, hash, library.numbers(PATH_NUMBERS)));
    }

    #check(call, ticket, ...rest) {
        this.library.check(this.library.exports[call](this.address, ticketOf(ticket), ...rest));
    }

    continue(ticket) {
        this.#check('glue_service_continue', ticket);
    }

    release(ticket) {
        this.#check('glue_service_release', ticket);
        this.#tickets.delete(ticket);
    }

    follow(ticket, shortcuts = 'possible') {
        this.#check('glue_service_follow', ticket, choice(SHORTCUTS, shortcuts, 'shortcuts'));
    }

    walked(ticket, at) {
        this.#check('glue_service_walked', ticket, wholeNumber(at, 'at'));
    }

    followed(ticket) {
        const { library } = this;
        this.#check('glue_service_followed', ticket);
        const [at, segment, left, version, searching] = library.numbers(5);
        return { at, segment, left: left === NO_COST ? null : left, version, searching: searching !== 0 };
    }

    ahead(ticket, most = 1) {
        const { library, address } = this, room = wholeNumber(most, 'most', 1 << 24), kept = this.#tickets.get(ticketOf(ticket));
        if (!kept) return new Uint32Array(0);
        const at = library.allocate(4 * room);
        try {
            const count = library.exports.glue_service_ahead(address, kept.space.address, ticket, at, room);
            return library.array(Uint32Array, at, count).slice();
        } finally {
            library.free(at, 4 * room);
        }
    }

    /* What functions and the clock throw comes out of here, the first of it. */
    update({ work = 0, soft = 0, microseconds = 0, clock = now } = {}) {
        const { library, address } = this, { hooks } = library, thrown = [], told = [];
        const numbers = [wholeNumber(work, 'work', WORK_MAX), wholeNumber(soft, 'soft', WORK_MAX), finiteNumber(microseconds, 'microseconds')];
        library.checkStill();
        const guarded = (call) => {
            try {
                return call();
            } catch (error) {
                return void thrown.push(error);
            }
        };
        hooks.answered = (ticket) => {
            told.push(ticket);
            guarded(() => this.#tickets.get(ticket).answer(ticket, this.answer(ticket)));
        };
        let time = 0;
        hooks.clock = () => {
            library.reporting = true;
            time = guarded(() => finiteNumber(clock(), 'what clock returns')) ?? time + microseconds; // without a clock the frame ends
            library.reporting = false;
            return time;
        };
        library.updating = true;
        library.setNumbers(numbers);
        try {
            const status = library.exports.glue_service_update(address), frame = library.numbers(FRAME_FIELDS.length);
            for (const ticket of told) if (this.status(ticket) === 'invalid') this.#tickets.delete(ticket);
            if (thrown.length) throw thrown[0];
            library.check(status);
            return Object.fromEntries(FRAME_FIELDS.map((name, i) => [name, frame[i]]));
        } finally {
            library.updating = false;
            hooks.answered = hooks.clock = null;
        }
    }

    usage() {
        this.library.exports.glue_service_usage(this.address);
        const numbers = this.library.numbers(USE_FIELDS.length);
        return Object.fromEntries(USE_FIELDS.map((name, i) => [name, numbers[i]]));
    }
}

/* ---- walk scripts ---- */

const SCRIPT_MAPS = ['none', 'file', 'generated', 'rows'];
const SCRIPT_ENDS = ['any', 'arrived', 'stopped'];

class ScriptWalk extends Handle {
    constructor(library, address, navigator) {
        super(library, address, navigator, 'glue_script_destroy');
        this.navigator = navigator;
        [this.step, this.next, this.made, this.over] = [0, 0, 0, false];
    }

    turn() {
        this.library.checkStill();
        const { library, navigator } = this, { world } = navigator.truth ?? navigator.planner.space;
        const status = library.exports.glue_script_turn(this.address, world.address, navigator.address);
        const numbers = library.numbers(MOVE_FIELDS.length + 4);
        const [step, next, made, over] = numbers.slice(MOVE_FIELDS.length);
        Object.assign(this, { step, next, made, over: over !== 0 });
        library.check(status);
        return moveOf(library, numbers);
    }
}

function withoutKind({ kind, ...numbers }) {
    return numbers;
}

function cellOf([x, y]) {
    return { x, y };
}

function parseScript(library, data) {
    const profile = library.withArrays([data], (at) => readProfile(library, (prices) =>
        library.check(library.exports.glue_script_parse(at, data.length, prices))));
    const printed = library.outputText();
    const head = printed.indexOf('\n');
    const { title, map, end, from, to, file, generator, changes = [] } = JSON.parse(printed.slice(0, head));
    const kind = SCRIPT_MAPS[map];
    const named = { none: {}, file: { file }, generated: { generator }, rows: { rows: printed.slice(head + 1) } };
    return {
        title, map: { kind, ...named[kind] }, profile, from: cellOf(from), to: cellOf(to), end: SCRIPT_ENDS[end],
        changes: changes.map(([at, action, x0, y0, x1, y1, terrain]) => ({ at, action: library.tables.scriptActions[action], x0, y0, x1, y1, terrain })),
    };
}

/* A script of the library, without its map, which only its text needs. */
function makeScript(library, { title = '', map = { kind: 'none' }, profile = {}, from, to, end = 'any', changes = [] }) {
    const { numbers, prices } = profileParts(library, 0, profile);
    const cell = (value, name) => wholeNumber(value, name, CELL_MAX, -CELL_MAX);
    const words = Int32Array.from([...changes].sort((a, b) => a.at - b.at).flatMap(({ at, action, x0, y0, x1 = x0, y1 = y0, terrain = 0 }) =>
        [wholeNumber(at, 'at', CELL_MAX), choice(library.tables.scriptActions, action, 'action'), cell(Math.min(x0, x1), 'x0'), cell(Math.min(y0, y1), 'y0'),
            cell(Math.max(x0, x1), 'x1'), cell(Math.max(y0, y1), 'y1'), wholeNumber(terrain, 'terrain', 255)]));
    if (encoder.encode(title).length > 119) throw invalid('the title is too long');
    const rest = [choice(SCRIPT_MAPS, map.kind, 'map.kind'), choice(SCRIPT_ENDS, end, 'end'), cell(from.x, 'from.x'), cell(from.y, 'from.y'),
        cell(to.x, 'to.x'), cell(to.y, 'to.y')];
    return library.withArrays([prices, encoder.encode(`${title}\0`), words], (pricesAt, titleAt, changesAt) => {
        library.setNumbers([...numbers, ...rest]);
        return library.made(library.exports.glue_script_create(pricesAt, titleAt, changesAt, changes.length));
    });
}

/* ---- Tiled: documents as elements, elements as bytes ---- */

const VOID_RULES = ['auto', 'blocked', 'open'];
const DEPTH_MAX = 256;
const ELEMENTS_MARK = '\u0001CRNTILED';

export function xmlElements(document) {
    const damaged = document.getElementsByTagName?.('parsererror')[0];
    if (damaged) throw new CairnError('bad-data', `the XML is damaged: ${damaged.textContent.slice(0, 200)}`);
    return elementOf(document.documentElement, 0);
}

function elementOf(node, depth) {
    if (depth > DEPTH_MAX) throw new CairnError('bad-data', 'elements are nested too deeply');
    const attributes = Object.fromEntries(Array.from(node.attributes, (attribute) => [attribute.name, attribute.value]));
    const children = [];
    for (let child = node.firstChild; child; child = child.nextSibling) {
        if (child.nodeType === 1) children.push(elementOf(child, depth + 1));
        else if (child.nodeType === 3 || child.nodeType === 4) children.push(child.nodeValue);
    }
    return { name: node.nodeName, attributes, children };
}

function isElement(at) {
    return typeof at?.name === 'string' && Array.isArray(at.children) && at.attributes !== null && typeof at.attributes === 'object';
}

/* It may have been made by hand: everything in it must be a text or an element. */
function checkedElement(at, depth) {
    if (depth > DEPTH_MAX) throw new CairnError('bad-data', 'elements are nested too deeply');
    for (const child of at.children) {
        if (typeof child === 'string') continue;
        if (!isElement(child)) throw new CairnError('bad-data', `in '${at.name}' there is something that is neither a text nor an element`);
        checkedElement(child, depth + 1);
    }
    return at;
}

/* A document of either syntax as elements; `root`: what it is if it is JSON. */
function elementsOf(document, root) {
    if (!document || typeof document !== 'object') throw invalid('a parsed document must be given');
    if (isElement(document)) return checkedElement(document, 0);
    if (root === 'tileset') return jsonTileset(document);
    if (!Array.isArray(document.layers)) throw new CairnError('bad-data', 'this is no Tiled map: it has no "layers"');
    const children = [...listOf(document.tilesets).map(jsonTileset), ...jsonLayers(document.layers, 0)];
    return element('map', pick(document, ['orientation', 'width', 'height', 'infinite', 'staggeraxis', 'staggerindex']), children);
}

function element(name, attributes, children) {
    return { name, attributes, children };
}

function listOf(value) {
    return Array.isArray(value) ? value.filter((item) => item && typeof item === 'object') : [];
}

/* Members as XML has them. */
function pick(object, names) {
    const attributes = {};
    for (const name of names) {
        const value = object[name];
        if (value !== undefined && value !== null) attributes[name] = typeof value === 'boolean' ? String(Number(value)) : String(value);
    }
    return attributes;
}

/* A list of {name, value}; before Tiled 1.2 an object of names and values. */
function jsonProperties(properties) {
    if (!properties || typeof properties !== 'object') return [];
    const pairs = Array.isArray(properties) ? listOf(properties).map(({ name, value }) => [name, value]) : Object.entries(properties);
    const known = pairs.filter(([name, value]) => typeof name === 'string' && ['string', 'number', 'boolean'].includes(typeof value));
    return [element('properties', {}, known.map(([name, value]) => element('property', { name, value: String(value) }, [])))];
}

function jsonTile(id, properties) {
    return element('tile', id === undefined ? {} : { id: String(id) }, jsonProperties(properties));
}

function jsonTileset(tileset) {
    const old = tileset.tileproperties && typeof tileset.tileproperties === 'object' ? Object.entries(tileset.tileproperties) : [];
    const tiles = [...listOf(tileset.tiles).map((tile) => jsonTile(tile.id, tile.properties)), ...old.map(([id, properties]) => jsonTile(id, properties))];
    const inside = typeof tileset.source === 'string' ? [] : [...jsonProperties(tileset.properties), ...tiles];
    return element('tileset', pick(tileset, ['firstgid', 'name', 'source']), inside);
}

function jsonLayers(layers, depth) {
    if (depth > DEPTH_MAX) throw new CairnError('bad-data', 'groups are nested too deeply');
    return listOf(layers).flatMap((layer) => {
        if (layer.type === 'group') return [element('group', pick(layer, ['visible']), jsonLayers(layer.layers, depth + 1))];
        return layer.type === 'tilelayer' ? [jsonLayer(layer)] : [];
    });
}

function jsonLayer(layer) {
    const holders = Array.isArray(layer.chunks) ? listOf(layer.chunks) : null;
    const packed = (holders ?? [layer]).some(({ data }) => typeof data === 'string');
    const format = packed ? { encoding: '', ...pick(layer, ['encoding', 'compression']) } : { encoding: 'csv' };
    const text = ({ data }) => (typeof data === 'string' ? data : Array.isArray(data) ? data.join(',') : '');
    const chunks = holders?.map((chunk) => element('chunk', pick(chunk, ['x', 'y', 'width', 'height']), [text(chunk)]));
    return element('layer', pick(layer, ['name', 'visible', 'width', 'height']),
        [...jsonProperties(layer.properties), element('data', format, chunks ?? [text(layer)])]);
}

/* ---- packed layers ---- */

const FORMATS = { zlib: 'deflate', gzip: 'gzip' };

/* What a file asks for without holding it. */
function checkCells(cells, most) {
    if (cells > most) throw new CairnError('out-of-budget', `it asks for ${cells} cells, but a file of its size may ask for at most ${most}`);
}

/* The same element with everything that zlib or gzip packed unpacked, together no more than `most` tiles. Other ways of packing stay for the library to refuse. */
async function unpackLayers(root, most) {
    let total = 0;
    const count = ({ width, height }) => checkCells(total += Number(width) * Number(height) || 0, most);
    const walk = async (at, layer, place) => {
        if (typeof at === 'string') return at;
        const format = at.name === 'data' ? FORMATS[String(at.attributes.compression).toLowerCase()] : undefined;
        const inside = at.name === 'layer' ? (at.attributes.name ?? '') : layer;
        const size = 'width' in at.attributes ? at.attributes : place;
        if (format && at.attributes.encoding === 'base64') return unpackData(at, format, inside, size, count);
        const children = [];
        for (const child of at.children) children.push(await walk(child, inside, size));
        return { ...at, children };
    };
    return walk(root, '', {});
}

async function unpackData(data, format, layer, size, count) {
    const children = [];
    for (const child of data.children) {
        if (typeof child === 'string') continue;
        const text = child.children.filter((part) => typeof part === 'string').join('');
        count(child.attributes);
        children.push({ ...child, children: [await unpackText(text, format, layer, child.attributes)] });
    }
    const own = data.children.filter((child) => typeof child === 'string').join('');
    if (own.trim()) {
        count(size);
        children.push(await unpackText(own, format, layer, size));
    }
    const { compression, ...attributes } = data.attributes;
    return { ...data, attributes, children };
}

/* base64 of packed bytes to base64 of plain ones: no more than the tiles need, and a byte, so that the library sees that there is more. */
async function unpackText(text, format, layer, { width, height }) {
    const needed = Math.min(Number(width) * Number(height) * 4 || 0, 2 ** 30) + 4;
    try {
        const packed = Uint8Array.from(atob(text.replace(/[ \t\r\n]/g, '')), (letter) => letter.charCodeAt(0));
        return base64(await inflate(packed, format, needed));
    } catch {
        throw new CairnError('bad-data', `the layer '${layer}' cannot be unpacked: it is damaged`);
    }
}

/* In small pieces: whatever one of them unpacks to is in memory at once. */
function piecesOf(bytes) {
    const piece = 4096;
    let at = 0;
    return new ReadableStream({
        pull(controller) {
            if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += piece)));
            else controller.close();
        },
    });
}

async function inflate(packed, format, most) {
    const stream = piecesOf(packed).pipeThrough(new DecompressionStream(format));
    const reader = stream.getReader();
    const parts = [];
    let size = 0;
    while (size < most) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        size += value.length;
    }
    if (size >= most) await reader.cancel();
    return joined(parts).subarray(0, most);
}

function base64(bytes) {
    const pieces = [];
    const piece = 3 * 8192;
    for (let at = 0; at < bytes.length; at += piece) pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + piece))));
    return pieces.join('');
}

/* ---- elements as bytes ---- */

function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

function word(text) {
    return encoder.encode(`${String(text).replaceAll('\0', '?')}\0`);
}

function counted(bytes) {
    return joined([new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes]);
}

/* As src/io/tiled_elements.c reads them. Only the text of tiles means something. */
function elementBytes(root) {
    const parts = [encoder.encode(ELEMENTS_MARK)];
    const put = (at, depth) => {
        if (depth > DEPTH_MAX) throw new CairnError('bad-data', 'elements are nested too deeply');
        parts.push(encoder.encode('<'), word(at.name));
        for (const [name, value] of Object.entries(at.attributes)) if (name) parts.push(word(name), word(value));
        parts.push(Uint8Array.of(0));
        for (const child of at.children) {
            if (typeof child !== 'string') put(child, depth + 1);
            else if (at.name === 'data' || at.name === 'chunk') parts.push(encoder.encode('t'), counted(encoder.encode(child)));
        }
        parts.push(encoder.encode('>'));
    };
    put(root, 0);
    return joined(parts);
}

/* All tilesets with files of their own, for the glue: name, size, elements. */
async function tilesetBytes(map, readTileset) {
    const sources = new Set(map.children.filter((child) => child.name === 'tileset' && child.attributes.source !== undefined)
        .map((child) => child.attributes.source));
    const parts = [];
    for (const name of readTileset ? sources : []) {
        parts.push(word(name), counted(elementBytes(elementsOf(await readTileset(name), 'tileset'))));
    }
    return joined(parts);
}
