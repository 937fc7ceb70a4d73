/* exporting.js: what is shown as files: pictures of the page's own drawing (PNG), the library's drawing (SVG), and the search step by step for the Posthoc visualiser.
 * Names of files say which world and which algorithm they are of.
 */
import { button, el, field, numberInput } from './dom.js';
import { download } from './files.js';
import { createMapCanvas } from './map_canvas.js';
import { popup } from './menu.js';
import { specOf } from './spec.js';
import { Superseded } from './worker_client.js';

const largestSide = 16384, largestArea = 1 << 27; // what browsers can draw
const labelHeight = 28;

const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));

function pngOf(canvas) {
    return new Promise((made, failed) => canvas.toBlob((blob) => (blob ? made(blob) : failed(new Error('the browser could not make this picture'))), 'image/png'));
}

/* The whole map of a pane, this many pixels a cell. */
function wholeMap({ scene }, scale) {
    const { wide, high } = scene.world.geometry, width = Math.ceil(wide * scale), height = Math.ceil(high * scale);
    if (width > largestSide || height > largestSide || width * height > largestArea)
        throw new Error(`a picture of ${width} × ${height} pixels is too large: take fewer pixels a cell`);
    const view = { scale, x: 0, y: 0, width, height, on() {}, toScreen: (x, y) => ({ x: x * scale, y: y * scale }) };
    const map = createMapCanvas(view, { ...scene, cursor: null });
    map.resize(width, height, 1);
    return map.canvas;
}

/* What is seen: one map, or all of them with their names, as they lie on the page. */
function seenMaps(panes, palette) {
    if (panes.length === 1) return panes[0].map.canvas;
    const boxes = panes.map(({ box }) => box.getBoundingClientRect()), ratio = panes[0].map.canvas.width / boxes[0].width;
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round((Math.max(...boxes.map((box) => box.right)) - left) * ratio);
    canvas.height = Math.round((Math.max(...boxes.map((box) => box.bottom)) - top) * ratio);
    const context = canvas.getContext('2d');
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = palette.isDark ? '#e8e8ea' : '#1c1e24';
    context.font = `${13 * ratio}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    panes.forEach(({ box, map }, i) => {
        const x = (boxes[i].left - left) * ratio, y = (boxes[i].top - top) * ratio;
        context.drawImage(map.canvas, x, y + labelHeight * ratio);
        const label = [...box.querySelector('.map-label').children].map(({ textContent }) => textContent).join('   ');
        context.fillText(label, x + 8 * ratio, y + (labelHeight / 2) * ratio, (boxes[i].width - 16) * ratio);
    });
    return canvas;
}

export function createExportMenu(app) {
    const { world, store, registry, client, panes, notice } = app;
    let pixels = 8;

    const plain = (text) => text.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '');
    const worldName = () => plain(world.name.replace(/\.\w+$/, '')) || 'world';
    const specOfPane = (pane) => specOf(registry, store.get(`problem.panes.${pane.index}`));
    const nameOf = (pane) => `${worldName()}-${plain(specOfPane(pane))}`;
    const nameOfAll = () => `${worldName()}-${panes.map((pane) => plain(specOfPane(pane))).join('-')}`;

    async function seen() {
        for (const { scene, map } of panes) {
            scene.cursor = null;
            map.redraw();
        }
        await frame();
        download(`${nameOfAll()}-view.png`, await pngOf(seenMaps(panes, app.palette)), 'image/png');
    }

    async function whole() {
        for (const pane of panes) download(`${nameOf(pane)}-${pixels}px.png`, await pngOf(wholeMap(pane, pixels)), 'image/png');
    }

    function shownOverlay() {
        const { show, layer } = store.get('ui.overlay');
        return show === 'index' ? layer : undefined;
    }

    async function svg() {
        const { query, colouring: colour, smooth } = store.get('problem');
        for (const pane of panes) {
            const overlay = pane.index === 0 ? shownOverlay() : undefined; // the index that is shown is that of the first
            const text = await client.ask('svg', { spec: specOfPane(pane), query, colour, overlay, smooth: smooth === 'none' ? undefined : smooth });
            download(`${nameOf(pane)}.svg`, text, 'image/svg+xml');
        }
    }

    async function trace() {
        for (const pane of panes) download(`${nameOf(pane)}.trace.yaml`, await client.ask('posthoc', { spec: specOfPane(pane), query: store.get('problem.query') }), 'text/yaml');
    }

    const item = (test, text, action) => button(test, text, async () => {
        details.open = false;
        try {
            await action();
        } catch (error) {
            if (!(error instanceof Superseded)) notice.show(error.message);
        }
    });
    const details = popup('export', 'Export', el('div', { class: 'menu-form' },
        item('export-view', 'What is seen (.png)', seen),
        item('export-whole', 'The whole map (.png)', whole),
        field('Pixels a cell', numberInput({ test: 'export-pixels', minimum: 1, maximum: 64, value: pixels }, (value) => { pixels = value; }), 'of the picture of the whole map'),
        item('export-svg', 'Drawing of the library (.svg)', svg),
        item('export-trace', 'Steps for Posthoc (.yaml)', trace)));
    return details;
}
