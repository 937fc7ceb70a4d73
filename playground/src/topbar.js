/* topbar.js: the name, opening and saving, and what concerns the whole page. */
import { button, el } from './dom.js';
import { createExportMenu } from './exporting.js';
import { menu } from './menu.js';
import { createShareMenu } from './share_menu.js';

export function createTopbar(app, element) {
    const { files, world, theme } = app;
    const name = el('span', { class: 'spring', test: 'world-name' });
    const showName = () => {
        name.textContent = world.width ? `${world.name} · ${world.width} × ${world.height}` : '';
    };
    world.on('replaced', showName);
    element.append(
        button('skip', 'To the map', () => app.panes[0].map.canvas.focus({ focusVisible: true }), { class: 'skip' }),
        el('h1', {}, 'Cairn ', el('span', {}, 'playground')),
        button('open', 'Open…', () => files.pick(), { title: 'Open a map (O)' }),
        menu('save', 'Save', [
            ['save-map', 'Map (.map)', () => files.save('map')],
            ['save-cairn', 'World with everything (.cairn)', () => files.save('cairn')],
            ['save-txt', 'Rows of text (.txt)', () => files.save('txt')],
            ['save-png', 'Picture, a pixel a cell (.png)', () => files.save('png')],
        ]),
        createShareMenu(app), createExportMenu(app),
        name,
        menu('about', '?', [
            ['tour-open', 'A tour of two minutes', () => app.tour.start()],
            ['help-open', 'Keys and hands', () => app.help.open()],
        ]),
        button('theme', [el('span', { class: 'wide-only' }, 'Theme'), el('span', { class: 'narrow-only' }, '◐')], () => theme.toggle(),
            { title: 'Light or dark', 'aria-label': 'Theme: light or dark' }));
}
