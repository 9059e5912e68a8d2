// The page of Figure 1: what is dragged, asked and drawn. The library is figure_1.cpp as WebAssembly; nothing is planned here.
'use strict';

const RADIUS = 0.4;        // of the ship's ends
const SPEED = 4;           // tiles a second, of the ship that moves
const REACH = 2;           // the arrow of an end, in tiles
const NUMBERS_A_LEG = 6;   // as figure_1.cpp writes them
const STAGES = [
  ['1a', 'A* over the tiles'],
  ['1b', 'smoothed'],
  ['1c', 'with its turning circle'],
  ['1d', 'searched with its turning circle'],
];
const COLORS = {
  paper: '#ffffff', ink: '#1f2733', grid: '#e8ebef', wall: '#505b6b', route: '#0b62b3', reverse: '#c4570a',
  hit: '#c02a50', body: 'rgba(11, 98, 179, 0.18)', chosen: '#e0a400',
};

// --- The library -------------------------------------------------------------------------------------------------

async function load_library() {
  const text = atob(document.getElementById('wasm').textContent.trim());
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const imports = {
    env: { emscripten_notify_memory_growth() {} },
    wasi_snapshot_preview1: { proc_exit(code) { throw new Error('the library stopped: ' + code); } },
  };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  instance.exports._initialize();
  return instance.exports;
}

function text_at(library, place) {
  const bytes = new Uint8Array(library.memory.buffer);
  let end = place;
  while (bytes[end] !== 0) end += 1;
  return new TextDecoder().decode(bytes.subarray(place, end));
}

function check(library, status) {
  if (status !== 0) throw new Error(text_at(library, library.fl_error_text(status)));
}

// The four stages of a state, as plain objects.
function ask(library, state) {
  check(library, library.fl_clear());
  for (const b of state.blocks) check(library, library.fl_block(b.x, b.y, b.width, b.height));
  check(library, library.fl_solve(state.start.x, state.start.y, state.start.heading, state.goal.x, state.goal.y,
    state.goal.heading, state.any ? 1 : 0, RADIUS, state.length, state.turning, state.reverse ? 1 : 0));
  return STAGES.map((_, i) => {
    const count = library.fl_leg_count(i);
    const numbers = new Float64Array(library.memory.buffer, library.fl_legs(i), count * NUMBERS_A_LEG);
    const hits = new Int32Array(library.memory.buffer, library.fl_clipped(i), library.fl_clipped_count(i) * 2);
    const legs = [];
    for (let k = 0; k < count; k += 1) {
      const [x, y, heading, length, curvature, gear] = numbers.subarray(k * NUMBERS_A_LEG, (k + 1) * NUMBERS_A_LEG);
      legs.push({ x, y, heading, length, curvature, gear });
    }
    return { status: text_at(library, library.fl_status(i)), length: library.fl_length(i), legs, hits: Array.from(hits),
      legal: i === 3 && library.fl_legal() === 1 };
  });
}

// --- The scene ---------------------------------------------------------------------------------------------------

// Walls of a scene file, as few rectangles: each takes what it can of the tiles to its right, then above.
function blocks_of(map) {
  const taken = map.map((row) => Array.from(row, (c) => c !== '#'));
  const blocks = [];
  for (let y = 0; y < map.length; y += 1) {
    for (let x = 0; x < map[y].length; x += 1) {
      if (taken[y][x]) continue;
      let width = 1;
      while (x + width < map[y].length && !taken[y][x + width]) width += 1;
      let height = 1;
      while (y + height < map.length && taken[y + height].slice(x, x + width).every((t) => !t)) height += 1;
      for (let v = y; v < y + height; v += 1) taken[v].fill(true, x, x + width);
      blocks.push({ x, y, width, height });
    }
  }
  return blocks;
}

function state_of(scene) {
  const query = scene.queries.find((q) => q.name === 'drive');
  const end = (at, degrees) => ({ x: at[0], y: at[1], heading: (degrees || 0) * Math.PI / 180 });
  return {
    width: scene.map[0].length, height: scene.map.length, blocks: blocks_of(scene.map),
    start: end(query.start, query.start_heading_deg), goal: end(query.goal, query.goal_heading_deg),
    any: false, reverse: Boolean(query.agent.reverse), length: query.agent.length, turning: query.agent.turning_radius,
  };
}

// --- Places on a way ---------------------------------------------------------------------------------------------

// Where the unit is `s` along a leg, and where it faces. Curvature is to the left of where it goes.
function on_leg(leg, s) {
  const way = leg.heading + (leg.gear < 0 ? Math.PI : 0);
  const turned = way + leg.curvature * s;
  if (leg.curvature === 0) return { x: leg.x + s * Math.cos(way), y: leg.y + s * Math.sin(way), heading: leg.heading };
  return {
    x: leg.x + (Math.sin(turned) - Math.sin(way)) / leg.curvature,
    y: leg.y - (Math.cos(turned) - Math.cos(way)) / leg.curvature,
    heading: leg.heading + leg.curvature * s,
  };
}

function on_way(legs, distance) {
  let left = distance;
  for (const leg of legs) {
    if (left <= leg.length) return on_leg(leg, left);
    left -= leg.length;
  }
  const last = legs[legs.length - 1];
  return on_leg(last, last.length);
}

// --- Drawing -----------------------------------------------------------------------------------------------------

function capsule(path, at, length) {
  const half = Math.max(length / 2 - RADIUS, 0);
  const c = Math.cos(at.heading), s = Math.sin(at.heading);
  const nose = [at.x + c * half, at.y + s * half], stern = [at.x - c * half, at.y - s * half];
  path.moveTo(nose[0] + s * RADIUS, nose[1] - c * RADIUS);
  path.arc(nose[0], nose[1], RADIUS, at.heading - Math.PI / 2, at.heading + Math.PI / 2);
  path.arc(stern[0], stern[1], RADIUS, at.heading + Math.PI / 2, at.heading + 3 * Math.PI / 2);
  path.closePath();
}

function draw_field(g, state, stage, pixel) {
  g.fillStyle = COLORS.paper;
  g.fillRect(0, 0, state.width, state.height);
  g.strokeStyle = COLORS.grid;
  g.lineWidth = pixel;
  g.beginPath();
  for (let x = 0; x <= state.width; x += 1) { g.moveTo(x, 0); g.lineTo(x, state.height); }
  for (let y = 0; y <= state.height; y += 1) { g.moveTo(0, y); g.lineTo(state.width, y); }
  g.stroke();
  g.fillStyle = COLORS.wall;
  for (const b of state.blocks) g.fillRect(b.x, b.y, b.width, b.height);
  g.fillStyle = COLORS.hit;
  for (let i = 0; i < stage.hits.length; i += 2) g.fillRect(stage.hits[i], stage.hits[i + 1], 1, 1);
}

function draw_way(g, state, stage, pixel) {
  const swept = new Path2D();
  for (const leg of stage.legs) {
    const steps = Math.max(1, Math.ceil(leg.length / 0.12));
    for (let k = 0; k <= steps; k += 1) capsule(swept, on_leg(leg, leg.length * k / steps), state.length);
  }
  g.fillStyle = COLORS.body;
  g.fill(swept, 'nonzero');
  for (const leg of stage.legs) {
    const line = new Path2D();
    const steps = leg.curvature === 0 ? 1 : Math.max(2, Math.ceil(leg.length / 0.1));
    line.moveTo(leg.x, leg.y);
    for (let k = 1; k <= steps; k += 1) {
      const at = on_leg(leg, leg.length * k / steps);
      line.lineTo(at.x, at.y);
    }
    g.strokeStyle = leg.gear < 0 ? COLORS.reverse : COLORS.route;
    g.lineWidth = 2.2 * pixel;
    g.setLineDash(leg.gear < 0 ? [5 * pixel, 4 * pixel] : []);
    g.stroke(line);
  }
  g.setLineDash([]);
  g.fillStyle = COLORS.route;
  for (const leg of stage.legs.slice(1)) {
    g.beginPath();
    g.arc(leg.x, leg.y, 2.6 * pixel, 0, 2 * Math.PI);
    g.fill();
  }
}

function draw_end(g, end, is_goal, any, chosen, pixel) {
  const tip = { x: end.x + REACH * Math.cos(end.heading), y: end.y + REACH * Math.sin(end.heading) };
  g.strokeStyle = chosen ? COLORS.chosen : COLORS.ink;
  g.fillStyle = g.strokeStyle;
  if (!any) {
    g.lineWidth = 1.6 * pixel;
    g.beginPath();
    g.moveTo(end.x, end.y);
    g.lineTo(tip.x, tip.y);
    for (const side of [2.6, -2.6]) {
      g.moveTo(tip.x, tip.y);
      g.lineTo(tip.x + 0.4 * Math.cos(end.heading + side), tip.y + 0.4 * Math.sin(end.heading + side));
    }
    g.stroke();
    g.beginPath();
    g.arc(tip.x, tip.y, 5 * pixel, 0, 2 * Math.PI);
    g.globalAlpha = 0.25;
    g.fill();
    g.globalAlpha = 1;
  }
  g.beginPath();
  g.arc(end.x, end.y, 7 * pixel, 0, 2 * Math.PI);
  if (!is_goal) { g.fill(); return; }
  g.lineWidth = 2 * pixel;
  g.stroke();
  g.beginPath();
  g.arc(end.x, end.y, 3 * pixel, 0, 2 * Math.PI);
  g.fill();
}

function draw_ship(g, at, state, pixel) {
  const hull = new Path2D();
  capsule(hull, at, state.length);
  g.fillStyle = COLORS.route;
  g.globalAlpha = 0.55;
  g.fill(hull);
  g.globalAlpha = 1;
  g.strokeStyle = COLORS.ink;
  g.lineWidth = 1.4 * pixel;
  g.stroke(hull);
  const ahead = Math.max(state.length / 2 - RADIUS, 0.1);
  g.fillStyle = COLORS.paper;
  g.beginPath();
  g.arc(at.x + ahead * Math.cos(at.heading), at.y + ahead * Math.sin(at.heading), 2.4 * pixel, 0, 2 * Math.PI);
  g.fill();
}

// --- The page ----------------------------------------------------------------------------------------------------

class Figure {
  constructor(library, scene) {
    this.library = library;
    this.scene = scene;
    this.chosen = 0;  // 0: start, 1: goal, then the blockers
    this.drag = null;
    this.playing = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.clock = 0;
    this.before = null;
    this.views = [];
    this.asked = 0;
    this.build();
    this.reset();
    new ResizeObserver(() => this.fit()).observe(document.getElementById('stages'));
    requestAnimationFrame((now) => this.frame(now));
  }

  build() {
    const main = document.getElementById('stages');
    for (const [number, name] of STAGES) {
      const figure = document.createElement('figure');
      const canvas = document.createElement('canvas');
      canvas.tabIndex = 0;
      canvas.setAttribute('role', 'application');
      canvas.setAttribute('aria-label', 'Figure ' + number + ', ' + name + '. Keys: N, P, arrows, Q, E, B, Delete, space.');
      const caption = document.createElement('figcaption');
      const title = document.createElement('b');
      title.textContent = number + '  ' + name;
      const told = document.createElement('span');
      caption.append(title, told);
      figure.append(canvas, caption);
      main.append(figure);
      this.views.push({ canvas, told });
      canvas.addEventListener('pointerdown', (e) => this.grab(e));
      canvas.addEventListener('pointermove', (e) => this.pull(e));
      for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { this.drag = null; });
      canvas.addEventListener('keydown', (e) => this.key(e));
    }
    const on = (id, event, act) => document.getElementById(id).addEventListener(event, act);
    on('controls', 'submit', (e) => e.preventDefault());
    on('play', 'click', () => this.play(!this.playing));
    on('reset', 'click', () => this.reset());
    on('add', 'click', () => this.add());
    on('remove', 'click', () => this.remove());
    on('turning', 'input', (e) => { this.state.turning = Number(e.target.value); this.change(); });
    on('length', 'input', (e) => { this.state.length = Number(e.target.value); this.change(); });
    on('reverse', 'change', (e) => { this.state.reverse = e.target.checked; this.change(); });
    on('any', 'change', (e) => { this.state.any = e.target.checked; this.change(); });
  }

  reset() {
    this.state = state_of(this.scene);
    check(this.library, this.library.fl_open_field(this.state.width, this.state.height));
    for (const { canvas } of this.views) canvas.style.aspectRatio = this.state.width + ' / ' + this.state.height;
    this.chosen = 0;
    this.clock = 0;
    this.play(this.playing);
    this.change();
  }

  play(on) {
    this.playing = on;
    const button = document.getElementById('play');
    button.textContent = on ? 'Pause' : 'Play';
    button.setAttribute('aria-pressed', String(on));
  }

  add() {
    this.state.blocks.push({ x: Math.floor(this.state.width / 2) - 1, y: Math.floor(this.state.height / 2) - 1, width: 2, height: 2 });
    this.chosen = this.state.blocks.length + 1;
    this.change();
  }

  remove() {
    if (this.chosen < 2) return;
    this.state.blocks.splice(this.chosen - 2, 1);
    this.chosen = Math.min(this.chosen, this.state.blocks.length + 1);
    this.change();
  }

  // Ask again before the next picture.
  change() { this.stale = true; }

  solve() {
    this.stale = false;
    this.asked += 1;
    const error = document.getElementById('error');
    const begin = performance.now();
    try {
      this.stages = ask(this.library, this.state);
      error.textContent = '';
    } catch (e) {
      error.textContent = e.message;
      return;
    }
    this.tell(performance.now() - begin);
  }

  tell(milliseconds) {
    this.stages.forEach((stage, i) => {
      const count = stage.hits.length / 2;
      let text = stage.status.replace('_', ' ');
      if (stage.status === 'complete') {
        text = 'length ' + stage.length.toFixed(2) + ', ' + stage.legs.length + (stage.legs.length === 1 ? ' leg' : ' legs');
        if (count > 0) text += ', hits ' + count + (count === 1 ? ' wall tile' : ' wall tiles');
        if (stage.legal) text += ', legal';
      }
      this.views[i].told.textContent = text;
      this.views[i].told.classList.toggle('bad', count > 0 || stage.status !== 'complete');
    });
    const show = (id, value) => { document.getElementById(id).value = value; document.getElementById(id + '_text').value = value.toFixed(2); };
    show('turning', this.state.turning);
    show('length', this.state.length);
    document.getElementById('reverse').checked = this.state.reverse;
    document.getElementById('any').checked = this.state.any;
    document.getElementById('told').textContent = 'All four stages and the check: ' + milliseconds.toFixed(1) + ' ms.';
  }

  // --- Pictures

  // As many pixels as the screen has; that empties a canvas, so it is drawn at once.
  fit() {
    const ratio = window.devicePixelRatio || 1;
    for (const { canvas } of this.views) {
      const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
      if (canvas.width === width && canvas.height === height) continue;
      canvas.width = width;
      canvas.height = height;
    }
    if (this.stages) this.draw();
  }

  frame(now) {
    if (this.playing && this.before !== null) this.clock += Math.min((now - this.before) / 1000, 0.1) * SPEED;
    this.before = now;
    if (this.stale) { this.solve(); this.dirty = true; }
    if (this.stages && (this.dirty || this.playing)) this.draw();
    this.dirty = false;
    requestAnimationFrame((next) => this.frame(next));
  }

  draw() {
    const longest = Math.max(1, ...this.stages.map((s) => s.length));
    const at = this.clock % (longest + SPEED);  // a second's rest at the end
    this.views.forEach(({ canvas }, i) => {
      const g = canvas.getContext('2d');
      const scale = canvas.width / this.state.width;
      const pixel = (window.devicePixelRatio || 1) / scale;
      g.setTransform(scale, 0, 0, -scale, 0, canvas.height);  // y grows up
      const stage = this.stages[i];
      draw_field(g, this.state, stage, pixel);
      if (stage.legs.length > 0) draw_way(g, this.state, stage, pixel);
      if (this.chosen >= 2) {
        const b = this.state.blocks[this.chosen - 2];
        g.strokeStyle = COLORS.chosen;
        g.lineWidth = 3 * pixel;
        g.strokeRect(b.x, b.y, b.width, b.height);
      }
      draw_end(g, this.state.start, false, false, this.chosen === 0, pixel);
      draw_end(g, this.state.goal, true, this.state.any, this.chosen === 1, pixel);
      if (stage.legs.length > 0) draw_ship(g, on_way(stage.legs, at), this.state, pixel);
    });
  }

  // --- Dragging

  place(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const scale = this.state.width / box.width;
    return { x: (event.clientX - box.left) * scale, y: this.state.height - (event.clientY - box.top) * scale, scale };
  }

  grab(event) {
    const at = this.place(event);
    const reach = (event.pointerType === 'touch' ? 26 : 13) * at.scale;
    const ends = [this.state.start, this.state.goal];
    let best = { distance: reach, drag: null };
    ends.forEach((end, index) => {
      const offer = (x, y, kind) => {
        const distance = Math.hypot(at.x - x, at.y - y);
        if (distance < best.distance) best = { distance, drag: { kind, index, dx: end.x - at.x, dy: end.y - at.y } };
      };
      offer(end.x, end.y, 'end');
      if (index === 0 || !this.state.any)
        offer(end.x + REACH * Math.cos(end.heading), end.y + REACH * Math.sin(end.heading), 'heading');
    });
    if (best.drag === null) {
      this.state.blocks.forEach((b, i) => {
        if (at.x >= b.x && at.y >= b.y && at.x <= b.x + b.width && at.y <= b.y + b.height)
          best.drag = { kind: 'block', index: i + 2, dx: b.x - at.x, dy: b.y - at.y };
      });
    }
    if (best.drag === null) return;
    this.drag = best.drag;
    this.chosen = best.drag.index;
    this.dirty = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    event.preventDefault();
  }

  pull(event) {
    const at = this.place(event);
    if (this.drag === null) return;
    const { kind, index, dx, dy } = this.drag;
    if (kind === 'block') {
      this.move_block(this.state.blocks[index - 2], Math.round(at.x + dx), Math.round(at.y + dy));
      return;
    }
    const end = index === 0 ? this.state.start : this.state.goal;
    if (kind === 'end') this.move_end(end, at.x + dx, at.y + dy);
    else this.turn_end(end, Math.atan2(at.y - end.y, at.x - end.x));
  }

  move_block(block, x, y) {
    const nx = Math.max(0, Math.min(this.state.width - block.width, x));
    const ny = Math.max(0, Math.min(this.state.height - block.height, y));
    if (nx === block.x && ny === block.y) return;
    block.x = nx;
    block.y = ny;
    this.change();
  }

  move_end(end, x, y) {
    end.x = Math.max(0.5, Math.min(this.state.width - 0.5, x));
    end.y = Math.max(0.5, Math.min(this.state.height - 0.5, y));
    this.change();
  }

  turn_end(end, heading) {
    end.heading = heading;
    this.change();
  }

  // --- Keys

  key(event) {
    const ends = [this.state.start, this.state.goal];
    const count = this.state.blocks.length + 2;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step && this.chosen < 2) this.move_end(ends[this.chosen], ends[this.chosen].x + step[0] / 2, ends[this.chosen].y + step[1] / 2);
    else if (step) {
      const block = this.state.blocks[this.chosen - 2];
      this.move_block(block, block.x + step[0], block.y + step[1]);
    } else if (key === 'n') this.chosen = (this.chosen + 1) % count;
    else if (key === 'p') this.chosen = (this.chosen + count - 1) % count;
    else if ((key === 'q' || key === 'e') && this.chosen < 2) {
      const end = ends[this.chosen];
      this.turn_end(end, end.heading + (key === 'q' ? 1 : -1) * Math.PI / 12);
    } else if (key === 'b') this.add();
    else if (key === 'delete' || key === 'backspace') this.remove();
    else if (key === ' ') this.play(!this.playing);
    else return;
    this.dirty = true;
    event.preventDefault();
  }
}

load_library().then((library) => {
  window.figure_1 = new Figure(library, JSON.parse(document.getElementById('scene').textContent));
}).catch((e) => { document.getElementById('error').textContent = e.message; });
