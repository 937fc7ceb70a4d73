/* palette.js: every colour of the map, the same as in the pictures of the program (src/io/picture.c has the reasons): told apart without
 * seeing red and green, walls dark, grounds light, a ramp that climbs evenly in lightness. In the dark theme grounds are dark
 * and walls darker; ramp, path and marks stay as they are.
 */
const rampKnots = [0x52469c, 0x436ab0, 0x2f8ea8, 0x45ad8b, 0x92c862, 0xf4e15c];
const heatKnots = [0x3a1c47, 0x7b2d5e, 0xb8434f, 0xe0703a, 0xf3ac4c, 0xfbe9b5]; // of fields: no colour of a search is among them
export const rampSteps = 256;

const light = {
    terrain: [0xf6f4ee, 0xd2ce9c, 0xa4c8e6, 0x8cb086], other: 0xe2d5e6, wall: 0x2c2f38, narrow: 0xa2a19f, seen: 0xdcdaf0, veil: 0x989eae, mistaken: 0xc7935a,
    paper: '#e9e8e4', gridLine: 'rgba(40, 42, 50, 0.13)', border: '#626672',
    layers: ['#2b3a8c', '#8a3d0e', '#0c5c50'], segmentLine: '#0c7a58', link: '#6a1b9a', arrow: 'rgba(20, 22, 30, 0.75)',
};

const dark = {
    terrain: [0x363943, 0x5d5a38, 0x2f5877, 0x38583c], other: 0x56485c, wall: 0x0e0f13, narrow: 0x23252b, seen: 0x55537f, veil: 0x636876, mistaken: 0x8c6238,
    paper: '#191a1f', gridLine: 'rgba(255, 255, 255, 0.07)', border: '#9aa0b0',
    layers: ['#9fb0ff', '#ffb07a', '#7fe0cf'], segmentLine: '#7fe0cf', link: '#d9a6ff', arrow: 'rgba(255, 255, 255, 0.8)',
};

/* The light colours of areas, which neighbours never share as far as eight go. */
const areas = [0xbcccf9, 0xf4f1b9, 0xf0c7bf, 0xabd5d6, 0xe1f6ce, 0xccd2a2, 0xbff4f7, 0xabefd8];

export const marks = {
    path: '#d81b60', casing: '#ffffff', thinPath: '#5b0b2b', start: '#ffffff', goal: '#ffc107', outline: '#1c1e24', current: '#ff3b1f', visited: '#e8590c', agent: '#2b5fb4', trail: '#5b0b2b',
};

/* Part of b in 256ths. */
function mix(a, b, part) {
    const channel = (shift) => ((((a >> shift) & 255) * (256 - part) + ((b >> shift) & 255) * part) >> 8) << shift;
    return channel(16) | channel(8) | channel(0);
}

function rampColour(step, knots = rampKnots) {
    const segments = knots.length - 1, at = Math.floor((step * segments * 256) / (rampSteps - 1)), segment = at >> 8;
    return segment >= segments ? knots[segments] : mix(knots[segment], knots[segment + 1], at & 255);
}

/* 0xrrggbb → how a canvas keeps it in a Uint32Array (little end first), opaque. */
function pixel(colour) {
    return (0xff000000 | ((colour & 255) << 16) | (colour & 0xff00) | (colour >> 16)) >>> 0;
}

function css(colour) {
    return '#' + colour.toString(16).padStart(6, '0');
}

/* The same of two pixels, all of the second if part is 256. */
export function mixPixels(a, b, part) {
    return part === 256 ? b : (0xff000000 | mix(a & 0xffffff, b & 0xffffff, part)) >>> 0;
}

/* For events that are marked, by their number in the registry. */
const eventColours = ['#ffffff', '#ffc107', '#7b8cff', '#ff9f43', '#ff3b1f', '#1c1e24', '#5b0b2b', '#ffc107', '#ffffff', '#ff9f43', '#0c7a58', '#f03cb4'];

const grounds = 5; // ground, swamp, water, trees, others

/* The tables of a theme, as pixels: what a cell looks like is a look-up. */
export function createPalette(isDark) {
    const theme = isDark ? dark : light;
    const groundColours = [...theme.terrain, theme.other];
    const ramps = new Uint32Array(grounds * rampSteps), overlays = new Uint32Array(grounds * areas.length);
    for (let ground = 0; ground < grounds; ground++) {
        for (let step = 0; step < rampSteps; step++)
            ramps[ground * rampSteps + step] = pixel(ground ? mix(rampColour(step), groundColours[ground], 80) : rampColour(step));
        areas.forEach((area, i) => {
            const shown = isDark ? mix(area, 0x000000, 150) : area;
            overlays[ground * areas.length + i] = pixel(ground ? mix(shown, groundColours[ground], 128) : shown);
        });
    }
    return {
        isDark,
        ...theme,
        marks,
        areaCount: areas.length,
        groundPixels: Uint32Array.from(groundColours, pixel),
        seenPixels: Uint32Array.from(groundColours, (colour, i) => pixel(i ? mix(theme.seen, colour, 128) : theme.seen)),
        wallPixel: pixel(theme.wall),
        narrowPixel: pixel(theme.narrow),
        veilPixel: pixel(theme.veil),
        wrongPixel: pixel(theme.mistaken),
        paperPixel: pixel(parseInt(theme.paper.slice(1), 16)),
        ramps,
        heat: Uint32Array.from({ length: rampSteps }, (unused, step) => pixel(rampColour(step, heatKnots))),
        overlays,
        rampCss: Array.from({ length: 9 }, (unused, i) => css(rampColour(Math.round((i * (rampSteps - 1)) / 8)))),
        groundCss: (terrain) => css(groundColours[groundOf(terrain)]),
        wallCss: css(theme.wall),
        veilCss: css(theme.veil),
        wrongCss: css(theme.mistaken),
        eventColour: (kind) => eventColours[kind % eventColours.length],
    };
}

/* Which of the five grounds a terrain class is drawn as. */
export function groundOf(terrain) {
    return terrain < grounds - 1 ? terrain : grounds - 1;
}
