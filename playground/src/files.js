/* files.js: worlds from files and into files. What a file is, is told by how it begins: PNG is decoded by the browser, XML and JSON of Tiled maps are parsed by it, everything
 * else goes to the library as it is. What is wrong with a file is said by the library, with the line.
 */
import { xmlElements } from 'cairn';
import { checkShown } from './geometry.js';
import { withMark } from './png_mark.js';
import { questionOf } from './question.js';
import { bytesOfMap } from './resources.js';
import { isWalkScript } from './walk_script.js';

const readableNames = '.map,.txt,.cairn,.png,.tmx,.tmj,.json,.xml,.tsx,.tsj,.scen,.walk';
const readable = new RegExp(`(${readableNames.replaceAll('.', '\\.').replaceAll(',', '|')})$`, 'i');

const beginsWith = (bytes, ...values) => values.every((value, i) => bytes[i] === value);

/* Which request of the worker reads these bytes, and its message. `others`: files that came along, by name. */
async function readerFor(bytes, name, others) {
    if (beginsWith(bytes, 0x89, 0x50, 0x4e, 0x47)) return { op: 'pixels', message: await decodePicture(bytes, name) };
    const first = String.fromCharCode(...bytes.subarray(0, 64)).replace(/^\ufeff|^\u00ef\u00bb\u00bf/, '').trimStart()[0];
    if (first === '<') return { op: 'tiled', message: { document: parseXml(bytes), tilesets: tilesetsOf(others) } };
    if (first === '{') return { op: 'tiled', message: { document: parseJson(bytes), tilesets: tilesetsOf(others) } };
    return { op: 'open', message: { bytes, name } };
}

/* Rows of text may carry start and goal: one A and one B, both on plain ground. Gives the rows without them and where they were; null if there are none. */
function endsInRows(bytes) {
    if (bytes[0] === 0x89 || (!bytes.includes(0x41) && !bytes.includes(0x42))) return null;
    const lines = new TextDecoder().decode(bytes).split('\n'), first = lines[0].startsWith('type ') ? lines.findIndex((line) => line.trim() === 'map') + 1 : 0;
    const rows = lines.slice(first), found = { A: [], B: [] };
    if (!rows.every((row) => /^[.GSWTOAB@#]*\r?$/.test(row))) return null; // the library says what is wrong
    rows.forEach((row, y) => [...row].forEach((letter, x) => found[letter]?.push({ x, y })));
    if (found.A.length !== 1 || found.B.length !== 1) throw new Error(`a map has one start (A) and one goal (B), this one has ${found.A.length} and ${found.B.length}`);
    const width = rows[0].replace('\r', '').length, node = ([{ x, y }]) => y * width + x;
    const plain = [...lines.slice(0, first), ...rows.map((row) => row.replace(/[AB]/g, '.'))].join('\n');
    return { bytes: new TextEncoder().encode(plain), query: { from: node(found.A), to: node(found.B) } };
}

/* Scenarios begin with "version", worlds never do. */
function isScenario(bytes) {
    return new TextDecoder().decode(bytes.subarray(0, 32)).trimStart().startsWith('version');
}

/* The size stands in the header: the browser would make the whole picture before it tells. */
function checkPicture(bytes) {
    if (bytes.length < 24) return; // the browser refuses it
    const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    checkShown(header.getUint32(16), header.getUint32(20));
}

async function decodePicture(bytes, name) {
    checkPicture(bytes);
    let picture;
    try {
        picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
    } catch {
        throw new Error('the browser cannot decode this PNG');
    }
    const { width, height } = picture, canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    return { rgba: context.getImageData(0, 0, width, height).data, width, height, file: bytes, name };
}

function tilesetsOf(others) {
    const documents = {};
    for (const [name, bytes] of others) documents[name] = bytes[0] === 0x7b ? parseJson(bytes) : parseXml(bytes);
    return documents;
}

function parseXml(bytes) {
    return xmlElements(new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'application/xml'));
}

function parseJson(bytes) {
    try {
        return JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
        throw new Error(`this begins like JSON, but ${error.message}`);
    }
}

/* ---- saving ---- */

export function download(name, data, type) {
    const address = URL.createObjectURL(new Blob([data], { type }));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/* A pixel a cell in the library's own colours, whatever the theme; it can be opened again. */
async function pictureOf(world, colours) {
    const canvas = new OffscreenCanvas(world.width, world.height), context = canvas.getContext('2d');
    const image = context.createImageData(world.width, world.height);
    for (let node = 0; node < world.open.length; node++) {
        const [red, green, blue] = colours[world.open[node] ? 1 + world.terrain[node] : 0];
        image.data.set([red, green, blue, 255], 4 * node);
    }
    context.putImageData(image, 0, 0);
    const picture = await canvas.convertToBlob({ type: 'image/png' });
    return withMark(new Uint8Array(await picture.arrayBuffer()));
}

export function createFiles(app) {
    const { world, client, planning, notice } = app;

    async function open(bytes, name, source = { kind: 'file', name }, { others = new Map(), ...more } = {}) {
        if (isScenario(bytes)) return app.scenario.read(name, bytes);
        if (isWalkScript(bytes)) return app.walkScript.openBytes(bytes, name);
        let reader, ends;
        try {
            ends = endsInRows(bytes);
            reader = await readerFor(ends?.bytes ?? bytes, name, others);
        } catch (error) {
            notice.show(`${name}: ${error.message}`);
            return;
        }
        await planning.open(reader.op, reader.message, name, source, { ...more, query: more.query ?? ends?.query });
    }

    const isTileset = (file) => /\.(tsx|tsj)$/.test(file.name);
    const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

    /* A map, the tilesets that it may need beside it, and its problems. */
    async function openFiles(list) {
        const isProblems = ({ name }) => /\.scen$/i.test(name), problems = list.find(isProblems);
        const map = list.find((file) => !isTileset(file) && !isProblems(file)), others = new Map();
        for (const file of list.filter(isTileset)) others.set(file.name, await bytesOf(file));
        if (map) await open(await bytesOf(map), map.name, undefined, { others });
        if (problems) await app.scenario.read(problems.name, await bytesOf(problems));
        else if (!map) notice.show(`${list[0].name} is a tileset: open it together with its map`);
    }

    /* What was dropped, from a folder of this name or from none: of a folder the first map, with the tilesets and problems that belong to it. */
    async function openDropped(folder, dropped) {
        try {
            const all = await dropped, list = folder ? all.filter(({ name }) => readable.test(name)) : all;
            if (!folder) return list.length ? await openFiles(list) : undefined;
            const maps = list.filter((file) => !isTileset(file) && !/\.(scen|walk)$/i.test(file.name)), [map = list.find(({ name }) => /\.walk$/i.test(name))] = maps;
            if (!map) return notice.show(`the folder ${folder} has no map that the page can open (${readableNames})`);
            const belongs = (file) => isTileset(file) || file.name === `${map.name}.scen` || file.name === map.name.replace(/\.\w+$/, '.scen');
            await openFiles([map, ...list.filter(belongs)]);
            if (maps.length > 1 && notice.text() === '') notice.show(`The folder ${folder} has ${maps.length} maps; this is ${map.path}. Drop another one by itself to see it.`);
        } catch (error) {
            notice.show(`${folder || 'what was dropped'} cannot be read: ${error.message}`);
        }
    }

    /* One of the maps that come with the page; where to walk is the longest of its problems. */
    async function openBundled(name, more = {}) {
        const text = app.maps[name];
        if (text === undefined) {
            notice.show(`there is no map called ${name} in this page`);
            return;
        }
        await open(bytesOfMap(text), name, { kind: 'bundled', name }, { query: longestProblem(app.maps[name + '.scen']), ...more });
    }

    const saved = () => world.name.replace(/\.\w+$/, '') || 'world';

    return {
        open,
        openFiles,
        openBundled,
        openDropped,
        pick(accept = readableNames) {
            const input = document.createElement('input');
            input.type = 'file';
            input.multiple = true;
            input.accept = accept;
            input.onchange = () => input.files.length && openFiles([...input.files]);
            input.click();
        },
        async save(format) {
            try {
                if (format === 'png') download(saved() + '.png', await pictureOf(world, app.registry.colours), 'image/png');
                else download(`${saved()}.${format}`, await client.ask('save', { format, question: questionOf(app) }), 'application/octet-stream');
                world.markSaved();
            } catch (error) {
                notice.show(error.message);
            }
        },
    };
}

/* From a .scen: its lines are bucket, map, width, height, from x, y, to x, y, length. */
function longestProblem(scenario) {
    const line = scenario?.trim().split('\n').pop().split(/\s+/);
    if (!line || line.length < 9) return undefined;
    const [width, , fromX, fromY, toX, toY] = line.slice(2, 8).map(Number);
    return { from: fromY * width + fromX, to: toY * width + toX };
}

/* The files in a folder and in those below it, by name; `path` is where in it they lie. */
async function filesIn(handle, path = handle.name) {
    if (handle.kind === 'file') return [Object.assign(await handle.getFile(), { path })];
    const found = [];
    for await (const entry of handle.values()) found.push(...(await filesIn(entry, `${path}/${entry.name}`)));
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/* The same by the older interface, which every browser has. */
async function filesBelow(entry) {
    const ask = (object, method) => new Promise((resolve, reject) => { object[method](resolve, reject); });
    if (entry.isFile) return [Object.assign(await ask(entry, 'file'), { path: entry.fullPath.replace(/^\//, '') })];
    const reader = entry.createReader(), found = [];
    for (let some = await ask(reader, 'readEntries'); some.length; some = await ask(reader, 'readEntries'))
        for (const one of some) found.push(...(await filesBelow(one)));
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/* What was dropped: the items must be asked before the event is over. */
function droppedFiles({ items, files }) {
    const dropped = [...items].filter(({ kind }) => kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry?.(), handle: item.getAsFileSystemHandle?.() }));
    const folder = dropped.find(({ entry }) => entry?.isDirectory);
    if (!folder) return { name: '', list: Promise.resolve([...files]) };
    return { name: folder.entry.name, list: filesBelow(folder.entry).catch(async (error) => {
        if (!folder.handle) throw error;
        return filesIn(await folder.handle);
    }) };
}

/* Files and folders may be dropped anywhere on the page. */
export function acceptDrops(files, sign) {
    let depth = 0;
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
    const show = (delta) => {
        depth = Math.max(0, depth + delta);
        sign.hidden = depth === 0;
    };
    addEventListener('dragenter', (event) => hasFiles(event) && show(1));
    addEventListener('dragleave', (event) => hasFiles(event) && show(-1));
    addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
    addEventListener('drop', (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        show(-depth);
        const { name, list } = droppedFiles(event.dataTransfer);
        files.openDropped(name, list);
    });
}
