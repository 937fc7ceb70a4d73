/* keyboard.js: one table of keys, what they do, and how to say it (help.js shows it). Fields that are being typed in keep their keys. */

/* Groups of [keys, what they do, action]; a key is written as 'Ctrl+z' or 'Shift+ArrowLeft'. */
export function createKeyboard(app) {
    const { store, world, view, files, panes, tools, walk, simulation, tour, timeline } = app;
    const groups = [
        ['Drawing', [
            [['1'], 'paint walls', () => store.set('ui.tool', 'wall')],
            [['2'], 'paint terrain', () => store.set('ui.tool', 'terrain')],
            [['3'], 'erase', () => store.set('ui.tool', 'erase')],
            [['4'], 'move the view', () => store.set('ui.tool', 'pan')],
            [['5', '6', '7'], 'paint heights, extra costs, links', (key) => store.set('ui.tool', { 5: 'height', 6: 'extra', 7: 'link' }[key])],
            [['b'], 'brush', () => store.set('ui.shape', 'brush')],
            [['r'], 'rectangle', () => store.set('ui.shape', 'rectangle')],
            [['f'], 'flood fill', () => store.set('ui.shape', 'fill')],
            [['[', ']'], 'smaller, larger brush', (key) => stepBrush(key === ']' ? 1 : -1)],
            [['Ctrl+z'], 'undo', () => world.undo()],
            [['Ctrl+Shift+z', 'Ctrl+y'], 'redo', () => world.redo()],
        ]],
        ['The map', [
            [['+', '=', '-'], 'zoom in, zoom out', (key) => view.zoomAt(key === '-' ? 1 / 1.5 : 1.5, view.width / 2, view.height / 2)],
            [['0'], 'the whole map', () => view.fit()],
            [['Ctrl+ArrowLeft', 'Ctrl+ArrowUp', 'Ctrl+ArrowDown', 'Ctrl+ArrowRight'], 'move the view', (key) => push(key.slice(5))],
            [['w', 'a', 's', 'd'], 'move the goal up, left, down, right', (key) => moveEnd('to', key)],
            [['Shift+w', 'Shift+a', 'Shift+s', 'Shift+d'], 'move the start', (key) => moveEnd('from', key.slice(-1))],
            [['c'], 'to the map, with a cell cursor', () => panes[0].map.canvas.focus({ focusVisible: true })],
        ]],
        ['Playback', [
            [['p', 'k'], 'play or pause', () => timeline.toggle()],
            [['ArrowLeft', 'ArrowRight'], 'one event, or one turn of the walk or simulation, back, forwards', (key) => timeline.step(key === 'ArrowRight' ? 1 : -1)],
            [['Shift+ArrowLeft', 'Shift+ArrowRight'], 'one expansion, or to the next change or plan of the walk, or edit of the simulation, back, forwards', (key) => timeline.stepFar(key.endsWith('Right') ? 1 : -1)],
            [['Home', 'End'], 'to the beginning, to the end', (key) => (key === 'End' ? timeline.toEnd() : timeline.seek(0))],
        ]],
        ['Agents that walk', [
            [['g'], 'walk or pause', () => walk.toggle()],
            [['.'], 'one step', () => walk.stepOnce()],
            [['Backspace'], 'end the walk, or the simulation', () => (simulation.isShown() ? simulation.end() : walk.end())],
            [['m'], 'simulate many agents, or pause', () => simulation.toggle()],
        ]],
        ['The page', [
            [['o'], 'open a file', () => files.pick()],
            [['l'], 'light or dark', () => app.theme.toggle()],
            [['t'], 'the tour', () => tour.start()],
            [['PageDown', 'PageUp'], 'next, previous step of the tour', (key) => tour.isOn() && (key === 'PageDown' ? tour.next() : tour.back())],
            [['Escape'], 'leave the tour', () => tour.isOn() && tour.leave()],
            [['?'], 'this table', () => app.help.open()],
        ]],
    ];
    const table = groups.flatMap(([, entries]) => entries);

    function push(key) {
        const far = 80, [dx, dy] = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] }[key];
        view.pan(dx, dy);
    }

    function stepBrush(direction) {
        const { brushes } = app.toolbar, at = brushes.indexOf(store.get('ui.brush'));
        store.set('ui.brush', brushes[Math.min(brushes.length - 1, Math.max(0, at + direction))]);
    }

    function moveEnd(which, key) {
        const query = store.get('problem.query'), x = query[which] % world.width, y = Math.floor(query[which] / world.width);
        const [dx, dy] = { w: [0, -1], a: [-1, 0], s: [0, 1], d: [1, 0] }[key];
        if (x + dx < 0 || y + dy < 0 || x + dx >= world.width || y + dy >= world.height) return;
        store.set('problem.query', { ...query, [which]: (y + dy) * world.width + x + dx });
    }

    function nameOf(event) {
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/.test(key));
        return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${key}`;
    }

    const isTyping = (target) => target.closest?.('input:not([type=checkbox]):not([type=range]), select, textarea');
    const usesSpace = (target) => target.closest?.('button, summary, input, select, textarea');

    addEventListener('keydown', (event) => {
        if (event.key === ' ' && (tools.isOver() ? !isTyping(event.target) : !usesSpace(event.target))) {
            event.preventDefault();
            tools.holdSpace(true);
            return;
        }
        const name = nameOf(event), isRange = event.target.type === 'range' && event.key.startsWith('Arrow');
        if (event.altKey || document.querySelector('dialog[open]') || isRange || (isTyping(event.target) && !name.startsWith('Ctrl+'))) return;
        const entry = table.find(([keys]) => keys.includes(name));
        if (!entry || (isTyping(event.target) && /z|y|Arrow/.test(name))) return;
        if (entry[2](name) !== false) event.preventDefault();
    });
    addEventListener('keyup', (event) => {
        if (event.key === ' ') tools.holdSpace(false);
    });
    return { groups, table };
}
