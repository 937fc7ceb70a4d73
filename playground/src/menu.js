/* menu.js: buttons of the top bar that open something below them. */
import { button, el } from './dom.js';

/* A button that opens `content`; it closes when the focus goes elsewhere, and with Escape. */
export function popup(test, title, content) {
    const details = el('details', { class: 'menu', test }, el('summary', {}, title), content);
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

/* A button that opens a short list of actions: [test name, text, action]. */
export function menu(test, title, items) {
    const details = popup(test, title, el('div', {}, items.map(([name, text, action]) => button(name, text, () => {
        details.open = false;
        action();
    }))));
    return details;
}
