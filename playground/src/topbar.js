/* topbar.js: the name, opening and saving, and what concerns the whole page. */
import { button, el } from './dom.js';

/* A button that opens a short list of actions: [test name, text, action]. */
export function menu(test, title, items) {
    const details = el('details', { class: 'menu', test }, el('summary', {}, title),
        el('div', {}, items.map(([name, text, action]) => button(name, text, () => {
            details.open = false;
            action();
        }))));
    details.addEventListener('focusout', (event) => {
        if (!details.contains(event.relatedTarget)) setTimeout(() => { if (!details.contains(document.activeElement)) details.open = false; }, 150);
    });
    details.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        details.open = false;
        details.firstChild.focus();
    });
    return details;
}

export function createTopbar(app, element) {
    const { files, world, theme } = app;
    const name = el('span', { class: 'spring', test: 'world-name' });
    const showName = () => {
        name.textContent = world.width ? `${world.name} · ${world.width} × ${world.height}` : '';
    };
    world.on('replaced', showName);
    element.append(
        el('h1', {}, 'Cairn ', el('span', {}, 'playground')),
        button('open', 'Open…', () => files.pick(), { title: 'Open a map (O)' }),
        menu('save', 'Save', [
            ['save-map', 'Map (.map)', () => files.save('map')],
            ['save-cairn', 'World with everything (.cairn)', () => files.save('cairn')],
            ['save-txt', 'Rows of text (.txt)', () => files.save('txt')],
            ['save-png', 'Picture, a pixel a cell (.png)', () => files.save('png')],
        ]),
        name,
        button('theme', 'Theme', () => theme.toggle(), { title: 'Light or dark' }));
}
