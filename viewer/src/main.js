// The mission page: scene, time series, time line and table of one or two runs.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Follower, VIEWS } from './cameras.js';
import { unpack } from './content.js';
import { environment } from './environment.js';
import { connect } from './live.js';
import { Plots, searchable } from './plots.js';
import { isSoftware, Quality } from './quality.js';
import { fillTables } from './tables.js';
import { TimeLine } from './timeline.js';
import { links, VehicleView } from './vehicle.js';

const $ = (selector) => document.querySelector(selector);
const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 20, 50];

const header = await unpack($('#data').textContent);
$('#data').textContent = '';
if (header.live) await connect(header, onLiveRows);
const main = header.runs[0];
const duration = Math.max(header.duration, 1e-3);
const state = { now: 0, isPlaying: false, speed: 1, isDirty: true, focus: 0 };

// ---------- scene

function makeRenderer() {
  const canvas = $('#scene canvas');
  const probe = document.createElement('canvas').getContext('webgl2');
  const software = probe ? isSoftware(probe) : true;
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: !software });
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  return [renderer, software];
}

const deep = new THREE.Color(header.scene.tunnels.length ? 0x0b1c26 : 0x06364a);
const scene = new THREE.Scene();
scene.background = deep;
scene.fog = new THREE.FogExp2(deep, 0.028 / header.scale);
const camera = new THREE.PerspectiveCamera(50, 1, 0.03, 2000);
scene.add(new THREE.HemisphereLight(0xbfefff, 0x0a2a33, 1.6));
const sun = new THREE.DirectionalLight(0xfff6dd, 2.2);
sun.position.set(6, 20, -4);
scene.add(sun);
const surroundings = environment(header.scene, deep);
if (surroundings.length) scene.add(...surroundings);
const views = main.vehicles.filter((v) => main.byName[`${v.channel}/truth`]).map((v) => new VehicleView(main, v, false));
const others = header.runs.slice(1).flatMap((run) =>
  run.vehicles.filter((v) => run.byName[`${v.channel}/truth`]).map((v) => new VehicleView(run, v, true)),
);
for (const view of [...views, ...others]) scene.add(view.objects);
const bars = links(header.links, main, views);
if (bars.length) scene.add(...bars);

let renderer = null;
let controls = null;
let follower = null;
let quality = null;

function startScene() {
  if (!views.length) {
    $('#scene').classList.add('empty');
    $('#readout').textContent = 'This log holds no position and attitude of a vehicle. Its channels are in the plots.';
    return;
  }
  let software;
  try {
    [renderer, software] = makeRenderer();
  } catch {
    $('#readout').textContent = 'This browser offers no WebGL: plots, time line and table work without the scene.';
    return;
  }
  controls = new OrbitControls(camera, renderer.domElement);
  follower = new Follower(camera, controls, surroundings.filter((one) => one.isSolid));
  controls.addEventListener('change', () => (state.isDirty = true));
  quality = new Quality(software, (ratio) => {
    renderer.setPixelRatio(ratio);
    resize();
  });
}

function resize() {
  const box = $('#scene').getBoundingClientRect();
  renderer?.setSize(box.width, box.height, false);
  camera.aspect = box.width / Math.max(box.height, 1);
  camera.updateProjectionMatrix();
  state.isDirty = true;
}

// ---------- panels

const events = main.events;
const seek = (t) => {
  state.now = Math.max(0, Math.min(duration, t));
  state.isDirty = true;
};
const timeLine = new TimeLine($('#timeline'), $('#tip'), duration, events, seek);
const plots = new Plots($('#plots'), header.runs, events, seek, header.live);
for (const { title, curves } of header.plots) plots.add(title, curves);

const names = searchable(header.runs);
$('#names').append(...[...names].map(([name, { unit }]) => Object.assign(document.createElement('option'), { value: name, label: unit })));

function addChannel(name) {
  const found = names.get(name);
  if (!found) return false;
  const panel = plots.add(`${name} [${found.unit}]`, [{ ...found, label: found.field }]);
  panel?.frame.scrollIntoView({ block: 'nearest' });
  return Boolean(panel);
}

function search(text) {
  const wanted = text.trim().toLowerCase();
  const name = [...names.keys()].find((one) => one.toLowerCase() === wanted) ?? [...names.keys()].find((one) => one.toLowerCase().includes(wanted));
  $('#search').setCustomValidity(name && wanted ? '' : `no channel contains "${text}"`);
  if (!name || !wanted || !addChannel(name)) return $('#search').reportValidity();
  $('#search').value = '';
  return true;
}

const updateTables = fillTables($('#figures'), $('#events'), header, seek);

// ---------- live run

const REFRESH = 500; // ms between new curves and paths
let refreshedAt = 0;
let isStale = false; // whether rows came since then

// While the run plays, the page shows its latest rows; scrubbing or pausing leaves them.
function onLiveRows({ time, ended }) {
  if (state.isPlaying) seek(time);
  isStale = true;
  if (!ended) return;
  refresh();
  setPlaying(false);
  header.live = false;
  $('#notes').textContent = 'The run has ended. Its log and page hold all channels.';
}

function refresh() {
  refreshedAt = performance.now();
  isStale = false;
  for (const view of views) view.refresh();
  plots.refresh();
  state.isDirty = true;
}

// ---------- controls

function place(view) {
  $('#view').value = view;
  if (follower) follower.place(view, views[state.focus].body, views[state.focus].data.scale);
  state.isDirty = true;
}

function setPlaying(on) {
  if (on && !header.live && state.now >= duration) state.now = 0;
  state.isPlaying = on;
  $('#play').textContent = on ? '❚❚' : '▶';
  $('#play').setAttribute('aria-label', on ? 'pause' : 'play');
  state.isDirty = true;
}

function setSpeed(step) {
  const at = SPEEDS.indexOf(state.speed) + step;
  state.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
  $('#speed').value = String(state.speed);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  plots.redraw();
  state.isDirty = true;
}

function toggleTheme() {
  const isLight = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'light'
    : matchMedia('(prefers-color-scheme: light)').matches;
  setTheme(isLight ? 'dark' : 'light');
}

const keys = {
  ' ': () => setPlaying(!state.isPlaying),
  ArrowRight: (e) => seek(state.now + (e.shiftKey ? 5 : 0.5)),
  ArrowLeft: (e) => seek(state.now - (e.shiftKey ? 5 : 0.5)),
  Home: () => seek(0),
  End: () => seek(duration),
  '+': () => setSpeed(1),
  '-': () => setSpeed(-1),
  '/': () => $('#search').focus(),
  l: toggleTheme,
  t: () => ($('#table').open = !$('#table').open),
  v: () => nextVehicle(),
  '?': () => ($('#help').open ? $('#help').close() : $('#help').showModal()),
};
VIEWS.forEach((view, i) => (keys[String(i + 1)] = () => place(view)));

function nextVehicle() {
  if (views.length < 2) return;
  state.focus = (state.focus + 1) % views.length;
  $('#vehicle').value = String(state.focus);
  place($('#view').value);
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select')) return;
  if (event.key === ' ' && event.target.matches('button, summary')) return; // it presses them
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
});

$('#play').onclick = () => setPlaying(!state.isPlaying);
$('#theme').onclick = toggleTheme;
$('#keys').onclick = keys['?'];
$('#search').onchange = (event) => search(event.target.value);
$('#view').append(...VIEWS.map((view) => Object.assign(document.createElement('option'), { textContent: view })));
$('#view').onchange = (event) => place(event.target.value);
$('#speed').append(...SPEEDS.map((s) => Object.assign(document.createElement('option'), { value: String(s), textContent: `${s}×` })));
$('#speed').value = '1';
$('#speed').onchange = (event) => (state.speed = Number(event.target.value));
$('#vehicle').append(...views.map((view, i) => Object.assign(document.createElement('option'), { value: String(i), textContent: view.data.name })));
$('#vehicle').hidden = views.length < 2;
$('#vehicle').onchange = (event) => {
  state.focus = Number(event.target.value);
  place($('#view').value);
};
addEventListener('resize', resize);

// ---------- frames

const rounded = (value) => (Math.round(100 * value) / 100 + 0).toFixed(2); // without a minus zero

function update() {
  for (const view of [...views, ...others]) view.update(state.now);
  for (const bar of bars) bar.show(state.now);
  for (const one of surroundings) one.setTime?.(state.now);
  if (follower) follower.follow(views[state.focus].body);
  timeLine.draw(state.now);
  plots.moveTo(state.now);
  if (views.length) {
    const { depth, speed } = views[state.focus].figures(state.now);
    $('#readout').textContent = `t ${state.now.toFixed(1)} s   depth ${rounded(depth)} m   speed ${rounded(speed)} m/s`;
    updateTables(views, state.now);
  }
}

let lastFrame = performance.now();
let wasDrawn = false;

function frame(stamp) {
  requestAnimationFrame(frame);
  const elapsed = stamp - lastFrame;
  lastFrame = stamp;
  if (state.isPlaying && !header.live) {
    seek(state.now + (elapsed / 1000) * state.speed);
    if (state.now >= duration) setPlaying(false);
  }
  controls?.update();
  if (isStale && performance.now() - refreshedAt > REFRESH) refresh();
  if (!state.isDirty) {
    wasDrawn = false;
    return;
  }
  state.isDirty = false;
  update();
  renderer?.render(scene, camera);
  if (wasDrawn) quality?.presented(elapsed);
  wasDrawn = true;
  document.body.dataset.ready = '1';
}

startScene();
resize();
update();
place(header.scene.tunnels.length ? 'chase' : 'far');
requestAnimationFrame(frame);
if (header.live) setPlaying(true);

// For scripts and tests.
window.remora = {
  header, duration, seek, place, search, play: setPlaying,
  figures: () => views.map((view) => view.figures(state.now)),
  now: () => state.now,
  update: (t) => {
    seek(t);
    update();
  },
  panels: () => plots.panels.length,
  links: () => bars.map((bar) => bar.visible),
  plot: (k) => plots.panels[k].plot,
  camera: () => camera.position.toArray(),
  turn: (angle) => follower?.turn(angle),
  sight: () => follower?.sight(),
  draw: () => renderer?.render(scene, camera),
};
