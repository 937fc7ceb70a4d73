/* hex_raster.js: hexagons, line of pixels by line of pixels. Shapes would be drawn one by one, which takes a browser half a second for a map of small cells; a line of
 * pixels is a row of stretches, each of one cell, and there is nothing quicker than filling those.
 *
 * A hexagon stands on a point. Counted down from the upper end of its upright sides, a row of them is two thirds upright, where cells are stretches one cell wide, and one
 * third zigzag, where the points of this row grow narrower and those of the next one wider between them.
 */
const upright = 1 / Math.sqrt(3); // height of the upright sides, in cells
const zigzag = upright / 2;

/* Fills `pixels`, `width` × `height` of them, `scale` to a cell, from the place (left, top) on. `colourOf(x, y)` of the cells of the geometry; `paper` elsewhere. With `line` a darker
 * pixel stands between cells. */
export function rasterHexagons(pixels, { width, height, scale, left, top, geometry, colourOf, paper, line }) {
    const { row: rowHeight, firstRow } = geometry;
    for (let y = 0; y < height; y++) {
        const down = top + (y + 0.5) / scale - firstRow + zigzag, row = Math.floor(down / rowHeight), rest = down - row * rowHeight;
        const reach = rest < upright ? 0.5 : 0.5 * (1 - (rest - upright) / zigzag); // half the width of this row's cells here
        const stretches = { pixels, at: y * width, width, colourOf, line };
        pixels.fill(paper, y * width, (y + 1) * width);
        if (row >= -1 && row < geometry.height) drawLine(stretches, geometry, row, reach, left, scale);
    }
}

function drawLine(stretches, geometry, row, reach, left, scale) {
    const shift = geometry.shift(row), below = shift ? 1 : 0; // the cell between k and k + 1 in the next row is k, or k + 1
    const pixelAt = (place) => Math.max(0, Math.min(stretches.width, Math.round((place - left) * scale)));
    const first = Math.max(-1, Math.floor(left - shift) - 1), last = Math.min(geometry.width, Math.ceil(left + stretches.width / scale - shift) + 1);
    for (let k = first; k <= last; k++) {
        const centre = k + 0.5 + shift, begin = pixelAt(centre - reach), end = pixelAt(centre + reach);
        if (row >= 0 && k >= 0 && k < geometry.width) stretch(stretches, begin, end, k, row);
        const between = k + below;
        if (reach < 0.5 && row + 1 < geometry.height && between >= 0 && between < geometry.width)
            stretch(stretches, end, pixelAt(centre + 1 - reach), between, row + 1);
    }
}

function stretch({ pixels, at, colourOf, line }, begin, end, x, y) {
    if (end <= begin) return;
    const colour = colourOf(x, y);
    pixels.fill(colour, at + begin, at + end);
    if (line) pixels[at + begin] = darker(colour);
}

function darker(pixel) {
    const channel = (shift) => ((((pixel >>> shift) & 255) * 225) >> 8) << shift;
    return (0xff000000 | channel(16) | channel(8) | channel(0)) >>> 0;
}
