/* png_mark.js: the note in a PNG that says whose colours these are: with it the library reads terrain back by the colours of its own pictures, without
 * it a picture is light ground and dark walls. The browser writes no such note, so it is put in behind the first chunk.
 */
const keyword = 'Software', mark = 'Cairn grid 1';

const crcTable = Uint32Array.from({ length: 256 }, (unused, i) => {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value >>> 0;
});

function crc(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes) value = crcTable[(value ^ byte) & 255] ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
}

function number(value) {
    return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/* Signature and header of every PNG are 33 bytes. */
const beforeNote = 33;

export function withMark(png) {
    const body = [...new TextEncoder().encode(`tEXt${keyword}\0${mark}`)];
    const chunk = [...number(body.length - 4), ...body, ...number(crc(body))];
    const marked = new Uint8Array(png.length + chunk.length);
    marked.set(png.subarray(0, beforeNote));
    marked.set(chunk, beforeNote);
    marked.set(png.subarray(beforeNote), beforeNote + chunk.length);
    return marked;
}
