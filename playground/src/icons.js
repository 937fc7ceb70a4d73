/* icons.js: small signs for buttons, drawn in the colour of their text. */
const shapes = {
    eye: 'M1.5 8s2.5-4.5 6.5-4.5S14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
    toStart: 'M3 3v10M13 3L6 8l7 5z', toEnd: 'M13 3v10M3 3l7 5-7 5z', back: 'M10 3L5 8l5 5', forward: 'M6 3l5 5-5 5',
    backFar: 'M8 3L3 8l5 5M13 3L8 8l5 5', forwardFar: 'M8 3l5 5-5 5M3 3l5 5-5 5',
};

export function icon(name) {
    const space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
    for (const [key, value] of Object.entries({ width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon' })) svg.setAttribute(key, value);
    path.setAttribute('d', shapes[name]);
    svg.append(path);
    return svg;
}
