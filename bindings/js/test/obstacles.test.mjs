// Obstacles: what lies on cells for a while, against a plain list of rectangles; and what is refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fresh, random, refused } from './support.mjs';

test('an obstacle closes cells for as long as it lasts', async () => {
    const cairn = await fresh(), world = cairn.worldFromCells({ width: 5, height: 1 }), search = world.space().planner('astar').search();
    const obstacles = world.obstacles(), found = () => search.find({ from: 0, to: 4 }).status;
    const cart = obstacles.put({ x: 2, y: 0, ticks: 2 });
    assert.equal(typeof cart, 'bigint');
    assert.deepEqual([found(), obstacles.count], ['found', 1]); // not before the tick
    assert.deepEqual(obstacles.tick(), { version: 2, changed: 1 });
    assert.equal(found(), 'unreachable');
    assert.deepEqual(obstacles.tick(), { version: 2, changed: 0 });
    obstacles.renew(cart, 1);
    assert.deepEqual(obstacles.tick(), { version: 2, changed: 0 });
    assert.deepEqual(obstacles.tick(), { version: 3, changed: 1 });
    assert.deepEqual([found(), obstacles.count], ['found', 0]);
    assert.throws(() => obstacles.move(cart, 1, 0), refused('invalid', /has ended/));
});

test('cells and costs are those of a list of rectangles, whatever is edited below', async () => {
    const cairn = await fresh(), pick = random(11), width = 24, height = 17;
    const own = { open: Uint8Array.from({ length: width * height }, () => pick(4) > 0), layer: Uint8Array.from({ length: width * height }, () => pick(3)) };
    const world = cairn.worldFromCells({ width, height, ...own }), obstacles = world.obstacles(), list = [];
    for (let tick = 0; tick < 300; tick++) {
        for (let i = pick(4); i > 0; i--) {
            const one = { x: pick(width + 4) - 4, y: pick(height + 4) - 4, width: 5 + pick(3), height: 5 + pick(3), cost: pick(2) * pick(200), ticks: pick(9) };
            list.push({ ...one, left: one.ticks || Infinity, id: obstacles.put(one) });
        }
        for (const one of list) {
            const [x, y] = [pick(width), pick(height)], ticks = pick(5);
            if (pick(6) === 0) Object.assign(one, { x, y }, obstacles.move(one.id, x, y));
            if (pick(6) === 0) Object.assign(one, { left: ticks || Infinity }, obstacles.renew(one.id, ticks));
        }
        if (list.length > 12) obstacles.remove(list.splice(pick(list.length), 1)[0].id);
        if (pick(60) === 0) obstacles.clear(list.length = 0);
        if (pick(3) === 0) {
            const node = pick(width * height);
            [own.open[node], own.layer[node]] = [pick(2), pick(256)];
            world.edit({ nodes: [node], open: [own.open[node]], layer: [own.layer[node]] });
        }
        obstacles.tick();
        const cells = world.cells();
        for (let node = 0; node < width * height; node++) {
            const x = node % width, y = Math.floor(node / width), on = list.filter((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
            assert.equal(cells.open[node], own.open[node] && on.every((one) => one.cost) ? 1 : 0);
            assert.equal(cells.layer[node], Math.min(255, on.reduce((sum, one) => sum + one.cost, own.layer[node])));
            assert.deepEqual(obstacles.ownState(x, y), { open: own.open[node] === 1, terrain: 0, layer: own.layer[node], elevation: 0 });
        }
        for (const one of list) one.left--;
        for (let i = list.length - 1; i >= 0; i--) if (list[i].left <= 0) list.splice(i, 1);
    }
});

test('a service leads round what has come', async () => {
    const cairn = await fresh(), world = cairn.worldFromCells({ width: 20, height: 20 }), service = cairn.service();
    service.add(world.space().planner('jps'));
    const obstacles = world.obstacles(), ticket = service.request({ from: 10 * 20, to: 10 * 20 + 19 });
    while (service.status(ticket) === 'running') service.update({ work: 1000 });
    const { cost } = service.answer(ticket);
    service.follow(ticket);
    obstacles.put({ x: 9, y: 8, width: 2, height: 5 });
    obstacles.tick();
    assert.equal(service.update({ work: 1000 }).broken, 1);
    while (service.status(ticket) === 'running') service.update({ work: 1000 });
    assert.ok(service.answer(ticket).cost > cost);
});

test('what is wrong is refused, and a world takes its obstacles along', async () => {
    const cairn = await fresh(), world = cairn.worldFromCells({ width: 4, height: 4 }), obstacles = world.obstacles();
    assert.throws(() => world.obstacles(), refused('invalid', /already/));
    assert.throws(() => obstacles.put({ x: 9, y: 0 }), refused('out-of-bounds', /no cell/));
    assert.throws(() => obstacles.put({ x: 0, y: 0, width: 100000 }), refused('invalid', /larger/));
    assert.throws(() => obstacles.put({ x: 0.5, y: 0 }), refused('invalid', /x must be a whole number/));
    assert.throws(() => obstacles.put({ x: 0, y: 0, width: 0 }), refused('invalid', /width/));
    assert.throws(() => obstacles.put({ x: 0, y: 0, cost: 256 }), refused('invalid', /cost/));
    assert.throws(() => obstacles.remove(7n), refused('invalid', /never put/));
    assert.throws(() => obstacles.remove(7), refused('invalid', /BigInt/));
    const one = obstacles.put({ x: -1, y: -1, width: 2, height: 2 });
    assert.throws(() => obstacles.move(one, 4, 0), refused('out-of-bounds'));
    assert.equal(obstacles.tick().changed, 1);
    assert.ok(obstacles.bytes > 0);
    obstacles.destroy();
    world.obstacles(); // another list
    world.destroy();
    assert.throws(() => obstacles.count, refused('invalid', /was destroyed/));
    assert.equal(cairn.memory().bytes, 0);
});
