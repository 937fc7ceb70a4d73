/* share_menu.js: the link to what is shown, to be copied, and what it holds. */
import { button, el } from './dom.js';
import { popup } from './menu.js';

/* From a file, or served by the program. */
function isOfThisMachine(link) {
    return /^(file:|https?:\/\/(localhost|127\.|\[::1\]))/.test(link);
}

export function createShareMenu(app) {
    const { share } = app;
    const link = el('input', { type: 'text', readonly: true, test: 'share-link', 'aria-label': 'Link', onfocus: () => link.select() });
    const note = el('p', { class: 'note', test: 'share-note', role: 'status' });
    const copy = button('share-copy', 'Copy', copyLink, { class: 'primary' });
    const row = el('div', { class: 'row' }, link, copy);
    copy.classList.add('fixed');

    async function copyLink() {
        await share.refresh();
        try {
            await navigator.clipboard.writeText(share.link);
        } catch {
            link.select();
            document.execCommand('copy'); // where the page may not use the clipboard otherwise
        }
        note.textContent = `Copied. ${share.note}`;
    }

    function show() {
        link.value = share.link;
        row.hidden = share.tooLarge;
        note.textContent = share.note + (isOfThisMachine(share.link) ? ' The address is of this machine; what comes from the # on works with any copy of the page.' : '');
        note.classList.toggle('error', share.tooLarge);
    }

    share.on(show);
    const details = popup('share', 'Share', el('div', { class: 'menu-form' }, row, note));
    details.addEventListener('toggle', () => details.open && share.refresh());
    return details;
}
