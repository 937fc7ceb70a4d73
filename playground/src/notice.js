/* notice.js: the line above the map that says what went wrong, until it is closed or something went right. */
import { button, el, replaceChildren } from './dom.js';

export function createNotice(element) {
    const clear = () => {
        element.hidden = true;
    };
    return {
        clear,
        text: () => (element.hidden ? '' : element.firstChild.textContent),
        show(text) {
            replaceChildren(element, el('span', { test: 'notice' }, text), button('notice-close', 'Close', clear));
            element.hidden = false;
        },
    };
}
