// Asks the packed page what a player asks: node test_page.mjs PAGE. The page's own functions run on its own module, without a browser.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

const html = readFileSync(process.argv[2], 'utf8');
const failures = [];
function expect(what, good) {
  if (!good) failures.push(what);
}
function part(begin, end) {
  const at = html.indexOf(begin);
  return at < 0 ? '' : html.slice(at + begin.length, html.indexOf(end, at));
}

const scene = JSON.parse(part('id="scene">', '</script>'));
const wasm = Buffer.from(part('id="wasm">', '</script>'), 'base64');
const script = part('<script>\n', '</script>');

// One file: nothing is fetched.
expect('no outside reference', !/(src|href)="(https?:)?\/\//.test(html) && !/\bfetch\(|XMLHttpRequest|import\(/.test(script));
expect('all placeholders filled', !/@[A-Z]{4,}@/.test(html));

// The functions of the script, without the page that it opens at its end.
const shown = { element: { textContent: '' } };
const context = {
  console, Math, TextDecoder, Uint8Array, Int32Array, Float64Array, Array, JSON, Number, Boolean, Error, WebAssembly, atob,
  document: { getElementById: (id) => (id === 'wasm' ? { textContent: wasm.toString('base64') } : shown.element) },
  window: {},
};
const cut = script.indexOf('load_library().then');
runInNewContext(script.slice(0, cut) + '\nthis.page = { load_library, ask, check, state_of, blocks_of, on_leg, on_way };', context);
const { load_library, ask, check, state_of, on_way } = context.page;
const library = await load_library();

const state = state_of(scene);
expect('every wall is in a blocker', scene.map.join('').split('#').length - 1 === state.blocks.reduce((n, b) => n + b.width * b.height, 0));
check(library, library.fl_open_field(state.width, state.height));
const stages = ask(library, state);
const [tiles, smoothed, curved, driven] = stages;

expect('four complete stages', stages.every((s) => s.status === 'complete'));
expect('smoothing leaves fewer legs', smoothed.legs.length < tiles.legs.length);
expect('smoothing is no longer', smoothed.length <= tiles.length + 1e-9);
expect('curves skim walls', curved.hits.length > 0);
expect('the search hits none', driven.hits.length === 0 && driven.legal);
for (const [i, stage] of stages.entries()) {
  const sum = stage.legs.reduce((total, leg) => total + leg.length, 0);
  expect(`lengths of stage ${i} add up`, Math.abs(sum - stage.length) < 1e-6);
  for (let k = 1; k < stage.legs.length; k += 1) {
    const end = on_way(stage.legs.slice(0, k), 1e9), next = stage.legs[k];
    expect(`leg ${k} of stage ${i} goes on where the last ended`, Math.hypot(end.x - next.x, end.y - next.y) < 1e-6);
  }
  const end = on_way(stage.legs, 1e9);
  expect(`stage ${i} ends at the goal`, Math.hypot(end.x - state.goal.x, end.y - state.goal.y) < 1e-6);
}

// Drag the goal, then a blocker over the way: the answers follow, and going back gives the first ones again.
const before = JSON.stringify(stages);
state.goal.y += 3;
expect('a dragged goal changes the way', JSON.stringify(ask(library, state)) !== before);
state.goal.y -= 3;
expect('going back gives the same', JSON.stringify(ask(library, state)) === before);
const middle = on_way(driven.legs, driven.length / 2);
state.blocks.push({ x: Math.round(middle.x) - 1, y: Math.round(middle.y) - 1, width: 2, height: 2 });
const round = ask(library, state)[3];
expect('a blocker on the way is driven round', round.status === 'complete' && round.legal && round.length !== driven.length);
state.blocks.pop();
state.blocks.push({ x: -5, y: Math.floor(state.height / 2), width: state.width + 10, height: 1 });
expect('a wall from side to side: no way', ask(library, state).every((s) => s.status !== 'complete' || s.legs.length === 0 || s === undefined));
state.blocks.pop();
state.blocks.push({ x: Math.floor(state.start.x) - 1, y: Math.floor(state.start.y) - 1, width: 3, height: 3 });
expect('a blocked start is told', ask(library, state)[3].status === 'start_blocked');
state.blocks.pop();

// What is no number is an error with its text, and the module lives on.
const bad = library.fl_solve(NaN, 1, 0, 2, 2, 0, 0, 0.4, 1.8, 2, 0);
expect('NaN is refused', bad !== 0);
expect('no field of a million rows', library.fl_open_field(-1, 1000000) !== 0);
expect('no such stage', library.fl_leg_count(4) === 0 && library.fl_legs(-1) === 0);
expect('still the same after errors', JSON.stringify(ask(library, state)) === before);

if (failures.length > 0) {
  console.error('failed:\n  ' + failures.join('\n  '));
  process.exit(1);
}
console.log(stages.map((s, i) => `1${'abcd'[i]} ${s.length.toFixed(6)} ${s.legs.length} legs ${s.hits.length / 2} hits`).join('\n'));
