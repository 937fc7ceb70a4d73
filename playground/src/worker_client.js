/* worker_client.js: the page's side of the worker (worker.js has the messages).
 *
 *     const result = await client.ask('search', { … }, { lane: 'search', progress });
 *
 * An answer that a newer request made pointless never comes as a result: the promise is rejected with Superseded, which callers ignore. While an index is being built the
 * worker hears nothing; if something newer is wanted after a while (and is not `patient`), the worker is ended and another one is given the same world (`restore` asks for it).
 */
export class Superseded extends Error {}

class Cancelled extends Error {
    status = 'cancelled';
    message = 'the build was cancelled';
}

const patienceMs = 400;

export function createClient(workerText, module) {
    const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
    const client = { restore: async () => {}, restarts: 0 };
    let worker, number = 0, buildingSince = 0, restarting = null;
    const asked = new Map();

    function start() {
        worker = new Worker(address);
        worker.onmessage = ({ data }) => heard(data);
        worker.onerror = (event) => {
            event.preventDefault();
            failAll(new Error(event.message || 'the worker of the page has failed'));
        };
    }

    function heard({ id, result, error, dropped, progress }) {
        const request = asked.get(id);
        if (!request) return;
        if (progress) {
            if (progress.building !== undefined) buildingSince = progress.building ? buildingSince || performance.now() : 0;
            request.progress?.(progress);
            return;
        }
        asked.delete(id);
        buildingSince = 0;
        if (dropped) request.reject(new Superseded());
        else if (error) request.reject(Object.assign(new Error(error.message), error));
        else request.resolve(result);
        if (error?.fatal) client.restart(); // the library has come to harm
    }

    function failAll(error) {
        const requests = [...asked.values()];
        asked.clear();
        for (const request of requests) request.reject(error);
    }

    function post(op, message, { lane, progress, transfer = [] } = {}) {
        return new Promise((resolve, reject) => {
            const id = ++number;
            asked.set(id, { resolve, reject, progress });
            worker.postMessage({ id, op, lane, ...message }, transfer);
        });
    }

    /* Ends whatever the worker is at; whoever waits for it hears why. */
    client.restart = (why = new Superseded()) => {
        restarting ??= (async () => {
            client.restarts++;
            worker.terminate();
            buildingSince = 0;
            failAll(why);
            start();
            await post('load', { module });
            await client.restore(post);
        })().finally(() => {
            restarting = null;
        });
        return restarting;
    };

    client.ask = async (op, message, how) => {
        if (!how?.patient && buildingSince && performance.now() - buildingSince > patienceMs) client.restart();
        if (restarting) await restarting;
        return post(op, message, how);
    };

    /* Another worker with the library, for whoever has the port that leads to it: { port, end }. */
    client.helper = () => {
        const helper = new Worker(address), { port1, port2 } = new MessageChannel();
        helper.postMessage({ id: 1, op: 'load', module });
        helper.postMessage({ id: 2, op: 'serve', port: port1 }, [port1]);
        return { port: port2, end: () => helper.terminate() };
    };

    client.cancel = () => client.restart(new Cancelled());
    client.begin = () => {
        start();
        return post('load', { module });
    };
    return client;
}
