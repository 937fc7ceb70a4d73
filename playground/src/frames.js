/* frames.js: drawing, shared out over frames: whoever wants to draw waits here, first come, first served, and a frame takes on no more when its time is up. Several large
 * maps so never hold up the page together.
 */
const frameMs = 12;
const waiting = [];
let frame = 0;

export function inFrame(draw) {
    waiting.push(draw);
    if (!frame) frame = requestAnimationFrame(serve);
}

function serve() {
    frame = 0;
    const end = performance.now() + frameMs;
    do waiting.shift()();
    while (waiting.length && performance.now() < end);
    if (waiting.length) frame = requestAnimationFrame(serve);
}
