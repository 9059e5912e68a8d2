// The live page in a browser: node drag_page.mjs PAGE FOLDER. Drags an end, its arrow and a blocker by mouse and by touch, presses keys, and
// looks at what the page says; pictures go to FOLDER. The browser is spoken to through a pipe: no package is needed.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [page, folder] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'fairlead-page-'));
const browser = spawn(process.env.CHROMIUM || 'chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
  '--remote-debugging-pipe', '--no-first-run', '--user-data-dir=' + profile, '--window-size=1300,1000', 'about:blank'],
{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });

let last = 0;
const waiting = new Map();
let heard = '';
browser.stdio[4].on('data', (bytes) => {
  heard += bytes;
  for (let end = heard.indexOf('\0'); end >= 0; end = heard.indexOf('\0')) {
    const message = JSON.parse(heard.slice(0, end));
    heard = heard.slice(end + 1);
    const wanted = waiting.get(message.id);
    if (!wanted) continue;
    waiting.delete(message.id);
    if (message.error) wanted.reject(new Error(message.error.message));
    else wanted.resolve(message.result);
  }
});
let session;
function send(method, params = {}) {
  last += 1;
  const id = last;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + '\0');
  return new Promise((done, failed) => waiting.set(id, { resolve: done, reject: failed }));
}
const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

async function value(expression) {
  const answer = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  if (answer.exceptionDetails) throw new Error(expression + ': ' + answer.exceptionDetails.text);
  return answer.result.value;
}
async function picture(name) {
  await value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const shot = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true });
  writeFileSync(join(folder, name), Buffer.from(shot.data, 'base64'));
}

const failures = [];
function expect(what, good) {
  console.log((good ? 'ok   ' : 'BAD  ') + what);
  if (!good) failures.push(what);
}

// What the page has found out, once it has answered the last change.
async function found() {
  for (let i = 0; i < 200 && await value('figure_1.stale || !figure_1.stages'); i += 1) await sleep(50);
  return value('figure_1.stages.map((s) => [s.status, s.length, s.hits.length / 2, s.legal])');
}
// A place of the world on the screen, in picture `index`.
function screen(index, x, y) {
  return value(`(() => { const c = figure_1.views[${index}].canvas; c.scrollIntoView({ block: 'center' }); const b = c.getBoundingClientRect();
    return { x: b.left + ${x} * b.width / figure_1.state.width, y: b.top + (figure_1.state.height - ${y}) * b.height / figure_1.state.height }; })()`);
}
async function mouse(index, from, to) {
  const a = await screen(index, from.x, from.y), b = await screen(index, to.x, to.y);
  await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...a, button: 'left', clickCount: 1 });
  for (let i = 1; i <= 5; i += 1)
    await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: a.x + (b.x - a.x) * i / 5, y: a.y + (b.y - a.y) * i / 5, button: 'left', buttons: 1 });
  await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...b, button: 'left', clickCount: 1 });
}
async function touch(index, from, to) {
  const a = await screen(index, from.x, from.y), b = await screen(index, to.x, to.y);
  await send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [a] });
  for (let i = 1; i <= 5; i += 1)
    await send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: a.x + (b.x - a.x) * i / 5, y: a.y + (b.y - a.y) * i / 5 }] });
  await send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
async function press(key, code) {
  for (const type of ['keyDown', 'keyUp']) await send('Input.dispatchKeyEvent', { type, key, code: code || key });
}
const state = () => value('JSON.parse(JSON.stringify(figure_1.state))');
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

async function drive() {
  const { targetId } = await send('Target.createTarget', { url: 'file://' + resolve(page) });
  session = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  for (let i = 0; i < 400 && !await value('Boolean(window.figure_1 && window.figure_1.stages)'); i += 1) await sleep(50);
  const first = await found();
  expect('four stages, the third hits walls, the last is legal', first.every((s) => s[0] === 'complete') && first[2][2] > 0 && first[3][3]);
  expect('no error on the page', await value("document.getElementById('error').textContent === ''"));
  await picture('page_first.png');

  const begin = await state();
  await mouse(3, begin.goal, { x: begin.goal.x - 1, y: begin.goal.y - 3 });
  const dragged = await found();
  expect('the goal follows the mouse', Math.abs((await state()).goal.y - (begin.goal.y - 3)) < 0.1);
  expect('and all ways change', dragged.every((s, i) => s[1] !== first[i][1]));
  expect('the caption tells the new length', await value(`figure_1.views[3].told.textContent.includes('${dragged[3][1].toFixed(2)}')`));
  await picture('page_goal_dragged.png');

  const start = (await state()).start;
  await mouse(0, { x: start.x + 2 * Math.cos(start.heading), y: start.y + 2 * Math.sin(start.heading) }, { x: start.x, y: start.y + 2 });
  expect('the arrow turns the start', Math.abs((await state()).start.heading - Math.PI / 2) < 0.1 && !same(await found(), dragged));

  const before = await state(), block = before.blocks[0];
  await mouse(1, { x: block.x + 0.5, y: block.y + 0.5 }, { x: block.x + 2.5, y: block.y + 1.5 });
  const moved = (await state()).blocks[0];
  expect('a blocker moves by whole tiles', moved.x === Math.min(block.x + 2, before.width - block.width) && moved.y === Math.min(block.y + 1, before.height - block.height));

  await value("document.getElementById('reset').click()");
  expect('reset brings the first answers back', same(await found(), first));

  await touch(2, begin.start, { x: begin.start.x + 0.5, y: begin.start.y + 2 });
  expect('the start follows a finger', Math.abs((await state()).start.y - (begin.start.y + 2)) < 0.1 && !same(await found(), first));

  await value("document.getElementById('reset').click(); figure_1.views[0].canvas.focus()");
  await found();
  await press('n', 'KeyN');
  await press('ArrowDown');
  expect('keys pick the goal and move it', Math.abs((await state()).goal.y - (begin.goal.y - 0.5)) < 1e-9);
  await press('n', 'KeyN');
  await press('Delete');
  expect('Delete removes a blocker', (await state()).blocks.length === begin.blocks.length - 1);
  await press('b', 'KeyB');
  expect('B adds one', (await state()).blocks.length === begin.blocks.length);
  const playing = await value('figure_1.playing');
  await press(' ', 'Space');
  expect('space stops and goes on', await value('figure_1.playing') !== playing);

  await value("const t = document.getElementById('turning'); t.value = 4; t.dispatchEvent(new Event('input'))");
  const wide = await found();
  expect('a wider turning circle is another answer', !same(wide, first));
  await value("document.getElementById('reset').click()");
  await found();
  await send('Emulation.setDeviceMetricsOverride', { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
  await sleep(500);
  expect('nothing is wider than a phone', await value('document.documentElement.scrollWidth <= 390'));
  await picture('page_phone.png');
}

const patience = setTimeout(() => { console.error('no answer in three minutes'); browser.kill(); process.exit(1); }, 180000);
try {
  await drive();
} catch (error) {
  failures.push(error.message);
  console.error(error.message);
}
clearTimeout(patience);
browser.kill();
browser.on('exit', () => {
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  process.exit(failures.length > 0 ? 1 : 0);
});
