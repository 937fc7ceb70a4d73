/* resources.js: what the build has put into the page: the library, the worker's script, maps, and perhaps a world (`cairn view` puts it there). */

/* Of what comes with the page: names of maps, not problems or walks. */
export const isWorld = (name) => !/\.(scen|walk)$/.test(name);

function textOf(id) {
    return document.getElementById(id)?.textContent.trim() ?? '';
}

/* A map that comes with the page: texts as they are, containers in base64. */
export function bytesOfMap(map) {
    return typeof map === 'string' ? new TextEncoder().encode(map) : fromBase64(map.base64);
}

function fromBase64(text) {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

function unpack(id) {
    return new Response(new Blob([fromBase64(textOf(id))]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
}

export async function readResources() {
    if (document.readyState === 'loading') await new Promise((parsed) => addEventListener('DOMContentLoaded', parsed, { once: true }));
    const [module, maps] = await Promise.all([unpack('wasm').arrayBuffer().then((bytes) => WebAssembly.compile(bytes)), unpack('maps').json()]);
    const given = document.getElementById('world');
    return {
        worker: textOf('worker'), module, maps,
        world: given ? { name: given.dataset.name || 'world', bytes: fromBase64(given.textContent.trim()) } : null,
    };
}
