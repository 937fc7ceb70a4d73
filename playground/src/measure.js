/* measure.js: how long something takes when everything is warm: the least of several runs, since the first ones find code that is not compiled yet and memory that was never
 * touched, and a machine has other things to do. In the worker.
 */
export const leastRuns = 3;
const enoughMs = 10, mostRuns = 1000;
const grainMs = 1; // a browser's clock may go in steps of 0.1 ms: shorter runs are timed several at a time

/* `again()` runs once more; the first run, which was cold, is over. Gives { ms, runs }, all runs counted. */
export function leastOf(again, now = () => performance.now()) {
    let ms = Infinity, runs = 1, together = 1, spent = 0;
    while (ms === Infinity || (runs < mostRuns && (runs < leastRuns || spent < enoughMs))) {
        const begin = now();
        for (let i = 0; i < together; i++) again();
        const took = now() - begin;
        spent += took;
        runs += together;
        if (took >= grainMs || together >= mostRuns / 4) ms = Math.min(ms, took / together);
        else together *= 2;
    }
    return { ms, runs };
}
