/* shots.mjs: the pictures of docs/playground.md (tools/shots.sh). Not a test: it looks at nothing but that the page works. */
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import * as kit from './test/support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const desk = { width: 1280, height: 720 };
const picture = (page, name) => page.screenshot({ path: join(kit.project, `docs/pictures/playground-${name}.png`) });

async function quiet(options) {
    const page = await kit.openPage(options);
    await page.click(test('tour-decline'));
    await kit.idle(page);
    return page;
}

/* The section of the column that is meant, at its top. */
async function showSection(page, name) {
    await page.evaluate((wanted) => {
        const column = document.getElementById('column');
        column.scrollTop = document.querySelector(`[data-test="${wanted}"]`).offsetTop - column.offsetTop;
    }, name);
}

it('a search, half played', async () => {
    const page = await quiet({ viewport: desk, map: 'caves.map' });
    await page.evaluate(() => playground.player.seek(Math.round(playground.player.count * 0.7)));
    await kit.idle(page);
    await picture(page, 'search');
    await kit.closePage(page);
});

it('four algorithms side by side, in the dark', async () => {
    const page = await quiet({ viewport: desk, colorScheme: 'dark', map: 'rooms-small.txt' });
    await page.evaluate(() => playground.store.set('problem.panes', ['dijkstra', 'astar', 'jps', 'hpa'].map((algorithm) => ({ algorithm, parameters: {} }))));
    await kit.idle(page);
    await showSection(page, 'panel-compare');
    await kit.idle(page);
    await picture(page, 'compare');
    await kit.closePage(page);
});

it('an agent on its way', async () => {
    const page = await quiet({ viewport: desk });
    await page.selectOption(test('walk-speed'), '30');
    await page.evaluate(() => {
        playground.walkScript.openBundled('blocked-ahead.walk');
        return playground.walkScript.run();
    });
    await page.waitForFunction(() => playground.walk.sums?.moves >= 14);
    await page.evaluate(() => playground.walk.pause());
    await showSection(page, 'panel-walk');
    await page.waitForTimeout(200);
    await picture(page, 'walk');
    await kit.closePage(page);
});

it('an agent among its subgoals', async () => {
    const page = await quiet({ viewport: desk, map: 'facility.map' });
    await page.evaluate(() => playground.store.set('problem.panes', [{ algorithm: 'hcdps', parameters: {} }]));
    await page.selectOption(test('walk-speed'), 'most');
    await kit.idle(page);
    await page.click(test('walk-step'));
    await page.waitForFunction(() => playground.walk.turns.length === 1);
    await page.evaluate(() => playground.walk.time.seek(60));
    await kit.idle(page);
    await showSection(page, 'panel-walk');
    await kit.idle(page);
    await picture(page, 'subgoals');
    await kit.closePage(page);
});

it('an agent in fog', async () => {
    const page = await quiet({ viewport: desk, map: 'rooms.map' });
    await page.evaluate(() => playground.store.set('problem.panes', [{ algorithm: 'dstar-lite', parameters: {} }]));
    await page.fill(test('walk-sensor'), '5');
    await kit.idle(page);
    await page.click(test('walk-step'));
    await page.waitForFunction(() => playground.walk.turns.length === 1);
    await page.evaluate(() => playground.walk.time.seek(70));
    await kit.idle(page);
    await showSection(page, 'panel-walk');
    await kit.idle(page);
    await picture(page, 'fog');
    await kit.closePage(page);
});

it('hundreds of agents', async () => {
    const page = await quiet({ viewport: desk, map: 'rooms.map' });
    await page.evaluate(() => playground.store.set('ui.simulation', { ...playground.store.get('ui.simulation'), agents: 300 }));
    await page.click(test('simulation-step'));
    await page.waitForFunction(() => playground.simulation.recording?.turns === 1);
    await page.evaluate(() => playground.simulation.time.seek(600));
    await kit.idle(page);
    await showSection(page, 'panel-simulation');
    await kit.idle(page);
    await picture(page, 'simulation');
    await kit.closePage(page);
});

it('a phone', async () => {
    const page = await quiet({ viewport: { width: 390, height: 844 }, hasTouch: true, map: 'cave.txt' });
    await page.evaluate(() => playground.player.seek(Math.round(playground.player.count * 0.8)));
    await kit.idle(page);
    await picture(page, 'phone');
    await kit.closePage(page);
});
