/* share.js: all that the page shows as a link. The link says in its part behind the # what a person could type:
 *
 *     #cairn=1&bundled=caves.map&from=3,4&to=90,70&algorithm=astar&algorithm=hpa:size=16&neighbours=8&colour=g
 *
 * The world is in the link itself (`world`: a .cairn file, deflated, in base64url) if the link stays short enough; else it is named by what it was made from, if it has not been changed
 * since: a generator with its numbers, or a map that comes with the page. A world for which none of that serves must be saved as a file, and the page says so.
 * What is as usual is left out. Nothing in a link is trusted: what is wrong with it is told.
 */
import { describe, usualProfile } from './planning.js';
import { smoothKinds } from './panel_search.js';
import { layerTable, opacityOf, usualLayers } from './layer_list.js';
import { togethers } from './player.js';
import { isWorld } from './resources.js';
import { parseSpec, specOf } from './spec.js';
import { simulationLimits, usualSimulation } from './simulation.js';
import { knownKinds } from './walk_fog.js';

export const longestLink = 8192;
const longestWorld = 65536; // letters of a world in a link that came from elsewhere
const largestWorld = 8 << 20; // bytes of it when it is unpacked: worlds of cellsTried cells have less
const pieceUnpacked = 1024; // bytes that are unpacked at a time, to at most a thousand times as many
const largestSide = 4096; // of a generated world
const cellsTried = 1 << 20; // larger worlds do not fit anyhow, unless they are empty
const versionNow = '1';

/* What an agent makes of heights and extra costs: [name in a link, name in a profile, what is usual]. */
const reliefFields = [['max-climb', 'maxClimb', null], ['max-drop', 'maxDrop', null], ['gradient', 'gradient', 0], ['layer-weight', 'layerWeight', 0]];
const reliefMost = 65535;

export class LinkError extends Error {}

/* ---- bytes as text ---- */

/* A stream of them in pieces. */
function inPieces(bytes, piece) {
    let at = 0;
    return new ReadableStream({
        pull(controller) {
            if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += piece)));
            else controller.close();
        },
    });
}

/* What comes out of the stream, as long as it is not more than `most` bytes. */
async function through(stream, bytes, most = Infinity) {
    const reader = inPieces(bytes, pieceUnpacked).pipeThrough(stream).getReader(), parts = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new LinkError('the world in it is too large');
        }
        parts.push(value);
    }
}

export async function pack(bytes) {
    const packed = await through(new CompressionStream('deflate-raw'), bytes);
    let text = '';
    for (const byte of packed) text += String.fromCharCode(byte);
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function unpack(text, mostLetters = longestWorld, mostBytes = largestWorld) {
    if (text.length > mostLetters) throw new LinkError('the world in it is too large');
    try {
        const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
        return await through(new DecompressionStream('deflate-raw'), Uint8Array.from(binary, (letter) => letter.charCodeAt(0)), mostBytes);
    } catch (error) {
        if (error instanceof LinkError) throw error;
        throw new LinkError('the world in it is damaged or cut off');
    }
}

/* ---- reading ---- */

function numberFrom(fields, name, least, most) {
    const text = fields.get(name), value = Number(text);
    if (text === '' || !Number.isFinite(value) || value < least || value > most) throw new LinkError(`${name} should be a number from ${least} to ${most}, not "${text}"`);
    return value;
}

function choiceFrom(fields, name, choices) {
    const text = fields.get(name);
    if (!choices.includes(text)) throw new LinkError(`${name} should be one of ${choices.join(', ')}, not "${text}"`);
    return text;
}

function pairFrom(fields, name) {
    const match = /^(\d{1,6}),(\d{1,6})$/.exec(fields.get(name) ?? '');
    if (fields.has(name) && !match) throw new LinkError(`${name} should be a cell such as 3,4, not "${fields.get(name)}"`);
    return match ? { x: Number(match[1]), y: Number(match[2]) } : null;
}

/* name:number,name:number → { name: number } */
function numbersFrom(text, what) {
    const numbers = {};
    for (const word of text ? text.split(',') : []) {
        const match = /^([\w-]{1,40}):(-?\d+(?:\.\d+)?)$/.exec(word);
        if (!match || ['__proto__', 'constructor'].includes(match[1])) throw new LinkError(`"${word}" is no number of ${what}`);
        numbers[match[1]] = Number(match[2]);
    }
    return numbers;
}

function profileFrom(fields, registry) {
    const { limits } = registry, profile = usualProfile(registry);
    if (fields.has('neighbours')) profile.neighbours = choiceFrom(fields, 'neighbours', registry.neighbours);
    if (fields.has('corners')) profile.corners = choiceFrom(fields, 'corners', registry.corners);
    if (fields.has('radius')) profile.radius = numberFrom(fields, 'radius', 0, limits.radiusMax);
    if (fields.has('footprint')) profile.footprint = numberFrom(fields, 'footprint', 0, limits.footprintMax);
    for (const [name, key] of reliefFields) if (fields.has(name)) profile[key] = numberFrom(fields, name, 0, reliefMost);
    if (fields.has('terrain')) profile.terrainCost = numbersFrom(fields.get('terrain'), 'terrain');
    return profile;
}

function overlayFrom(fields, current) {
    const [show, detail = '', hidden = ''] = (fields.get('overlay') ?? 'none').split('.');
    if (!['none', 'index', 'regions', 'clearance'].includes(show)) throw new LinkError(`there is no overlay "${show}"`);
    const number = /^\d{1,2}$/.test(detail) ? Number(detail) : null, without = hidden.split('-');
    return {
        ...current, show, layer: show === 'index' ? number ?? 1 : 1, limit: show === 'clearance' ? Math.min(64, Math.max(1, number ?? 16)) : current.limit,
        kinds: Object.fromEntries(Object.keys(current.kinds).map((kind) => [kind, !without.includes(kind)])),
    };
}

/* How far an agent that walks sees, and what it knows at first. */
function fogFrom(fields, { limits }) {
    const sensor = fields.has('sensor') ? numberFrom(fields, 'sensor', 0, limits.sensorMax) : 0;
    if (!Number.isInteger(sensor)) throw new LinkError(`sensor should be a whole number, not "${fields.get('sensor')}"`);
    return { sensor, known: fields.has('known') ? choiceFrom(fields, 'known', knownKinds) : knownKinds[0] };
}

/* Settings of simulations: [name in a link, name in the page]; a budget in microseconds has a name of its own. */
const simulationFields = [['agents', 'agents'], ['edits', 'edits'], ['budget', 'budget'], ['speed', 'speed'], ['edit-size', 'editSize'], ['edit-life', 'editLife'], ['seed', 'seed']];

function simulationFrom(fields) {
    const { microseconds, ...numbers } = numbersFrom(fields.get('simulation') ?? '', 'a simulation'), settings = { ...usualSimulation };
    if (microseconds !== undefined) [numbers.budget, settings.unit] = [microseconds, 'time'];
    for (const [name, value] of Object.entries(numbers)) {
        const key = simulationFields.find(([known]) => known === name)?.[1], [least, most] = simulationLimits[key] ?? [];
        if (!key) throw new LinkError(`"${name}" is no number of a simulation`);
        if (!Number.isInteger(value) || value < least || value > most) throw new LinkError(`${name} of a simulation should be a whole number from ${least} to ${most}, not ${value}`);
        settings[key] = value;
    }
    return settings;
}

function simulationText(settings) {
    const found = simulationFields.filter(([, key]) => settings[key] !== usualSimulation[key] && (key !== 'budget' || settings.unit === 'work')).map(([name, key]) => `${name}:${settings[key]}`);
    return [...found, ...(settings.unit === 'time' ? [`microseconds:${settings.budget}`] : [])].join(',');
}

function viewFrom(fields) {
    if (!fields.has('view')) return null;
    const numbers = fields.get('view').split(',').map(Number);
    if (numbers.length !== 3 || !numbers.every(Number.isFinite) || numbers[0] <= 0) throw new LinkError(`view should be pixels a cell and the place in the middle, such as 12,30,20, not "${fields.get('view')}"`);
    return { scale: numbers[0], x: numbers[1], y: numbers[2] };
}

/* ---- writing ---- */

function settings(app) {
    const { store, registry, world, view } = app, { profile, query, panes, smooth, colouring, together } = store.get('problem'), { overlay, layers, walk, simulation } = store.get('ui');
    const fields = [], put = (name, value, usual) => value !== usual && fields.push([name, value]);
    const cell = (node) => `${node % world.width},${Math.floor(node / world.width)}`;
    const costs = Object.entries(profile.terrainCost).filter(([terrain, cost]) => cost !== registry.profile.terrainCost[terrain]);
    fields.push(['from', cell(query.from)], ['to', cell(query.to)]);
    for (const choice of panes) fields.push(['algorithm', specOf(registry, choice)]);
    put('neighbours', profile.neighbours, registry.profile.neighbours);
    put('corners', profile.corners, registry.profile.corners);
    put('radius', profile.radius, 0);
    put('footprint', profile.footprint, 0);
    for (const [name, key, usual] of reliefFields) put(name, profile[key] ?? usual, usual);
    put('terrain', costs.map((pair) => pair.join(':')).join(','), '');
    put('smooth', smooth, 'none');
    put('colour', colouring, registry.colourings[0]);
    put('together', together, 'event');
    put('overlay', overlayText(overlay), 'none');
    put('layers', layersText(layers), '');
    put('sensor', walk.sensor, 0);
    if (walk.sensor) put('known', walk.known, knownKinds[0]);
    put('simulation', simulationText(simulation), '');
    const middle = view.toWorld(view.width / 2, view.height / 2);
    if (!view.fitted) fields.push(['view', [view.scale, middle.x, middle.y].map((value) => Number(value.toFixed(3))).join(',')]);
    return fields;
}

function overlayText({ show, layer, limit, kinds }) {
    if (show === 'clearance') return `clearance.${limit}`;
    if (show !== 'index') return show;
    const hidden = Object.keys(kinds).filter((kind) => !kinds[kind]);
    return `index.${layer}${hidden.length ? '.' + hidden.join('-') : ''}`;
}

/* Those that are not as usual, in percent; 0 = not seen. */
function layersText(layers) {
    return layerTable.filter(([name, , usual]) => opacityOf(layers, name) !== usual).map(([name]) => `${name}:${Math.round(opacityOf(layers, name) * 100)}`).join(',');
}

function layersFrom(fields) {
    const layers = usualLayers();
    for (const [name, percent] of Object.entries(numbersFrom(fields.get('layers') ?? '', 'layers'))) {
        if (!layers[name] || percent < 0 || percent > 100) throw new LinkError(`"${name}:${percent}" is no layer with an opacity from 0 to 100`);
        layers[name] = percent ? { on: true, opacity: percent / 100 } : { ...layers[name], on: false };
    }
    return layers;
}

const written = (fields) => '#' + fields.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3D', '=')}`).join('&');

export function createShare(app) {
    const { store, world, client, view, registry, planning, files, notice } = app;
    const listeners = [], share = { link: '', note: '', tooLarge: false };
    let packed = { version: -1 }, timer = 0, applying = 0, own = '', asked = 0;

    const address = () => location.href.split('#')[0];

    /* The world as text; it is made once for every version of it. */
    async function packedWorld() {
        if (world.width * world.height > cellsTried) return null;
        if (packed.version !== world.version) {
            const { version } = world;
            packed = { version, text: await pack(await client.ask('save', { format: 'cairn' }, { patient: true })) };
        }
        return packed.text;
    }

    function originFields() {
        const { source } = world;
        if (world.isEdited()) return null;
        if (source?.kind === 'generator') return [['generator', source.generator], ['numbers', Object.entries(source.numbers).map((pair) => pair.join(':')).join(',')]];
        if (source?.kind === 'bundled') return [['bundled', source.name]];
        return null;
    }

    /* The link and what it holds. */
    async function make() {
        const rest = settings(app), start = ['cairn', versionNow], name = ['name', world.name];
        const text = await packedWorld();
        if (text) {
            const link = address() + written([start, name, ...rest, ['world', text]]);
            if (link.length <= longestLink) return { link, note: `The map is in the link (${link.length} of at most ${longestLink} letters).`, tooLarge: false };
        }
        const origin = originFields();
        if (origin) {
            const link = address() + written([start, ...origin, ...rest]);
            return { link, note: origin[0][0] === 'bundled' ? 'The map comes with the page; the link names it.' : 'The link holds the generator and its numbers, which make the same map everywhere.', tooLarge: false };
        }
        return { link: '', note: `This map is too large for a link of ${longestLink} letters. Save it as a file (Save, .cairn) and pass that on.`, tooLarge: true };
    }

    /* ---- the address of the page follows ---- */

    function write(hash) {
        own = hash;
        try {
            history.replaceState(null, '', address() + hash);
        } catch {
            // pages in a frame or from a disk may not change their address: the link is there to be copied all the same
        }
    }

    /* Cells are others than the address says: it must not bring the old ones back while the new link is being made. */
    function painted() {
        if (own) write('');
        changed();
    }

    async function refresh() {
        timer = 0;
        if (applying || !world.width) return;
        const number = ++asked;
        let made;
        try {
            made = await make();
        } catch {
            return; // the worker was busy with something newer: another change follows
        }
        if (number !== asked || applying) return;
        Object.assign(share, made);
        const hash = share.link ? share.link.slice(share.link.indexOf('#')) : '';
        write(hash);
        listeners.forEach((heard) => heard());
    }

    function changed() {
        clearTimeout(timer);
        timer = setTimeout(refresh, 400);
    }

    /* ---- opening a link ---- */

    async function openWorld(fields, more) {
        const name = (fields.get('name') ?? 'shared world').slice(0, 200);
        if (fields.has('world')) {
            await files.open(await unpack(fields.get('world')), name, { kind: 'shared' }, more);
            return;
        }
        if (fields.has('bundled')) {
            if (!Object.hasOwn(app.maps, fields.get('bundled')) || !isWorld(fields.get('bundled'))) throw new LinkError(`this page has no map "${fields.get('bundled')}"`);
            await files.openBundled(fields.get('bundled'), more);
            return;
        }
        if (!fields.has('generator')) throw new LinkError('it names no world');
        const kind = choiceFrom(fields, 'generator', registry.generators.filter(({ fromSource }) => !fromSource).map(({ name: one }) => one));
        const numbers = numbersFrom(fields.get('numbers') ?? '', 'the generator');
        for (const side of ['width', 'height']) if (!(numbers[side] >= 1 && numbers[side] <= largestSide)) throw new LinkError(`the ${side} should be from 1 to ${largestSide}`);
        await planning.open('generate', { kind, numbers }, `${kind} ${numbers.seed ?? 1}`, { kind: 'generator', generator: kind, numbers }, more);
    }

    function nodeAt({ x, y }, name) {
        if (x >= world.width || y >= world.height) throw new LinkError(`${name} (${x},${y}) is outside the world of ${world.width} × ${world.height} cells`);
        return y * world.width + x;
    }

    async function apply(hash) {
        const fields = new URLSearchParams(hash.replace(/^#/, ''));
        if (fields.get('cairn') !== versionNow) throw new LinkError(`it is of version ${fields.get('cairn')}, this page reads version ${versionNow}`);
        const panes = fields.getAll('algorithm').slice(0, 4).map((text) => choiceOf(text)), profile = profileFrom(fields, registry);
        const from = pairFrom(fields, 'from'), to = pairFrom(fields, 'to'), overlay = overlayFrom(fields, store.get('ui.overlay')), layers = layersFrom(fields), place = viewFrom(fields);
        const smooth = fields.has('smooth') ? choiceFrom(fields, 'smooth', smoothKinds.map(({ value }) => value)) : 'none';
        const colouring = fields.has('colour') ? choiceFrom(fields, 'colour', registry.colourings) : registry.colourings[0];
        const together = fields.has('together') ? choiceFrom(fields, 'together', togethers.map(({ value }) => value)) : 'event';

        const walk = { ...store.get('ui.walk'), ...fogFrom(fields, registry) }, simulation = simulationFrom(fields);

        const before = world.version;
        await openWorld(fields, { profile });
        if (world.version === before) throw new LinkError(notice.text());
        if (panes.length) store.set('problem.panes', panes);
        store.set('problem.smooth', smooth);
        store.set('problem.colouring', colouring);
        store.set('problem.together', together);
        store.set('ui.overlay', overlay);
        store.set('ui.layers', layers);
        store.set('ui.walk', walk);
        store.set('ui.simulation', simulation);
        if (place) view.show(place);
        const query = store.get('problem.query');
        store.set('problem.query', { from: from ? nodeAt(from, 'from') : query.from, to: to ? nodeAt(to, 'to') : query.to });
    }

    function choiceOf(text) {
        try {
            return parseSpec(registry, text);
        } catch (error) {
            throw new LinkError(error.message);
        }
    }

    /* What is wrong with the link, or nothing. */
    async function open(hash) {
        applying++;
        own = hash;
        try {
            await apply(hash);
            return '';
        } catch (error) {
            return `This link cannot be opened: ${describe(error)}.`.replace('..', '.');
        } finally {
            applying--;
            changed();
        }
    }

    async function openHere() {
        if (!isLink(location.hash) || location.hash === own) return;
        const fault = await open(location.hash);
        if (fault) notice.show(fault);
    }

    /* From now on the address follows what is shown. */
    function follow() {
        for (const path of ['problem', 'ui.overlay', 'ui.layers', 'ui.walk', 'ui.simulation']) store.on(path, changed);
        world.on('replaced', changed);
        world.on('edited', painted);
        world.on('links', painted);
        view.on(changed);
        addEventListener('hashchange', openHere);
    }

    return Object.assign(share, { on: (heard) => listeners.push(heard), open, follow, refresh, isLink });
}

function isLink(hash) {
    return /^#(.*&)?cairn=/.test(hash);
}
