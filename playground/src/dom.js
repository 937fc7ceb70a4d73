/* dom.js: small helpers to build the page's controls. Every control gets a label, and a `data-test` name by which tests find it. */

/* el('button', { class: 'x', onclick: f, test: 'play' }, 'Play'): children may be nodes, texts, lists, or nothing. */
export function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (name === 'test') element.dataset.test = value;
        else if (name === 'value') element.value = value;
        else if (name === 'checked') element.checked = value;
        else element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
    return element;
}

export function replaceChildren(element, ...children) {
    element.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
}

/* A labelled line: the text on the left, the control on the right (boxes to tick before their text), help as a tooltip and for screen readers. */
export function field(label, control, help) {
    const name = el('span', { class: 'field-name' }, label);
    if (control.type === 'checkbox') return el('label', { class: 'check', title: help }, control, name);
    return el('label', { class: 'field', title: help }, name, control);
}

/* One that was opened with a pointer gives the keys back to the page once something is chosen; whoever came to it with the keyboard stays. */
export function select(attributes, choices, value, changed) {
    let byPointer = false;
    const element = el('select', {
        ...attributes,
        onpointerdown: () => { byPointer = true; },
        onblur: () => { byPointer = false; },
        onchange: () => {
            changed(element.value);
            if (byPointer) element.blur();
        },
    }, choices.map((choice) => choiceOf(choice)));
    element.value = value;
    return element;
}

function choiceOf(choice) {
    if (choice.group !== undefined) return el('optgroup', { label: choice.group }, choice.choices.map(choiceOf));
    const { value, text, title } = typeof choice === 'object' ? choice : { value: choice, text: choice };
    return el('option', { value, title }, text);
}

/* Calls `changed` with a number within the range; nonsense is put right when the field is left. */
export function numberInput({ test, minimum, maximum, step = 1, value, label }, changed) {
    const input = el('input', { type: 'number', test, 'aria-label': label, title: label, min: minimum, max: maximum, step, value });
    const read = () => (input.value === '' ? NaN : Number(input.value));
    const fits = (number) => Number.isFinite(number) && number >= minimum && number <= maximum;
    let last = value;
    input.addEventListener('input', () => {
        input.classList.toggle('wrong', !fits(read()));
        if (fits(read()) && read() !== last) changed((last = read()));
    });
    input.addEventListener('change', () => {
        const number = Number.isFinite(read()) ? Math.min(maximum, Math.max(minimum, read())) : last;
        input.value = number;
        input.classList.remove('wrong');
        if (number !== last) changed((last = number));
    });
    return input;
}

export function checkbox(attributes, checked, changed) {
    const input = el('input', { type: 'checkbox', ...attributes, checked, onchange: () => changed(input.checked) });
    return input;
}

export function button(test, text, clicked, attributes = {}) {
    return el('button', { type: 'button', test, onclick: clicked, ...attributes }, text);
}

/* A part of the column that folds. */
export function section(test, title, ...children) {
    return el('details', { class: 'section', test, open: true }, el('summary', {}, title), el('div', { class: 'section-body' }, ...children));
}
