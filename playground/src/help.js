/* help.js: a sheet with every key and what hands can do; the keys come from the tables that make them work. */
import { button, el } from './dom.js';
import { cursorKeys } from './map_cursor.js';

const hands = [
    ['drag', 'paint; start and goal can be dragged with any tool'],
    ['wheel', 'zoom at the pointer'],
    ['middle button, Space + drag', 'move the view'],
    ['one finger', 'paint, or drag start and goal'],
    ['two fingers', 'move the view, and zoom'],
    ['drop a file', 'open a map, a scenario or a walk'],
];

const names = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

/* 'Shift+ArrowLeft' as people write it. */
function keyText(key) {
    const parts = key === '+' ? ['+'] : key.split('+');
    return parts.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join('+');
}

function keyTable(title, rows) {
    return el('section', {}, el('h3', {}, title), el('table', { class: 'keys' }, rows.map(([keys, text]) =>
        el('tr', {}, el('th', { scope: 'row' }, keys.map((key, i) => [i ? ' ' : '', el('kbd', {}, key)])), el('td', {}, text)))));
}

export function createHelp(app) {
    function open() {
        const close = button('help-close', 'Close', () => sheet.close());
        const sheet = el('dialog', { class: 'sheet', test: 'help', 'aria-label': 'Keys and hands', onclose: () => sheet.remove() },
            el('div', { class: 'sheet-head' }, el('h2', {}, 'Keys'), close),
            el('div', { class: 'key-tables' },
                app.keyboard.groups.map(([title, entries]) => keyTable(title, entries.map(([keys, text]) => [keys.map(keyText), text]))),
                keyTable('On the map, with the cell cursor', cursorKeys.map(([key, text]) => [[key], text])),
                keyTable('Mouse and fingers', hands.map(([hand, text]) => [[hand], text]))),
            el('p', { class: 'note' }, `Cairn ${app.version}. The page asks nothing of any network; what you draw stays here.`));
        document.body.append(sheet);
        sheet.showModal();
        close.focus();
    }
    return { open };
}
