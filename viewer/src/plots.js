// Linked time series with a cursor, and a search over all channels.
import uPlot from 'uplot';
import { curveOf } from './content.js';

const COLOURS = ['#4dabf7', '#ff922b', '#51cf66', '#f783ac', '#b197fc', '#63e6be', '#ff6b6b', '#fab005'];
const HEIGHT = 150;
const OTHER_DASH = [6, 4];
const LEAST_SPAN = 0.01; // m, m/s, N and the like: smaller differences are rounding

// Unknown values are gaps: null, since NaN blanks a whole panel.
const gaps = (values) => (values.some(Number.isNaN) ? Array.from(values, (v) => (Number.isNaN(v) ? null : v)) : values);
const shown = (v) => (v === null || v === undefined ? '' : Number(v.toPrecision(4)).toString());

// Depths grow downwards.
const DOWNWARDS = /^(depth|down|position_down|p_N[A-Z]_z)$/;

// Range of values, no smaller than their rounding.
function atLeast(u, low, high) {
  if (low === null) return [0, 1];
  const span = Math.max(high - low, LEAST_SPAN, 1e-4 * Math.max(Math.abs(low), Math.abs(high)));
  return uPlot.rangeNum((low + high - span) / 2, (low + high + span) / 2, 0.1, true);
}

// Labels of ticks with the decimals that their distance needs.
const ticks = (u, values, axis, space, distance) => {
  let decimals = 0;
  while (decimals < 9 && Math.abs(distance * 10 ** decimals - Math.round(distance * 10 ** decimals)) > 1e-6) decimals += 1;
  return values.map((value) => (value === null ? '' : (value + 0).toFixed(decimals)));
};

function verticalLine(u, t, colour) {
  const x = u.valToPos(t, 'x', true);
  u.ctx.save();
  u.ctx.strokeStyle = colour;
  u.ctx.beginPath();
  u.ctx.moveTo(x, u.bbox.top);
  u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
  u.ctx.stroke();
  u.ctx.restore();
}

export class Plots {
  constructor(box, runs, events, seek, isLive) {
    Object.assign(this, { box, runs, events, seek, isLive, panels: [], now: 0 });
    new ResizeObserver(() => this.resize()).observe(box);
  }

  // A panel of curves, each {channel, field, label}; those of a second run are dashed.
  add(title, curves) {
    const series = [{ label: 't', value: (u, v) => (v === null ? '' : `${v.toFixed(2)} s`) }];
    const sources = [];
    curves.forEach(({ channel, field, label }, i) => {
      this.runs.forEach((run, r) => {
        const curve = run.byName[channel] && curveOf(run.byName[channel], field);
        if (!curve || !(curve.time.length || this.isLive)) return; // the rows of a live run may begin later
        sources.push(() => curveOf(run.byName[channel], field));
        const ending = this.runs.length > 1 ? ` (${run.label})` : '';
        series.push({
          label: label + ending, stroke: COLOURS[i % COLOURS.length], width: 1.3, dash: r ? OTHER_DASH : undefined, value: (u, v) => shown(v),
        });
      });
    });
    if (!sources.length) return null;
    const data = () => uPlot.join(sources.map((source) => source()).map(({ time, values }) => [time, gaps(values)]));
    return this.panel(title, data, series, curves.every(({ field }) => DOWNWARDS.test(field)));
  }

  panel(title, data, series, isDown) {
    const frame = document.createElement('figure');
    frame.className = 'plot';
    frame.title = title;
    this.box.append(frame);
    const style = getComputedStyle(document.body);
    const axis = { stroke: style.getPropertyValue('--faint'), grid: { stroke: style.getPropertyValue('--grid') } };
    const marks = (u) => this.events.filter((e) => e.level !== 'info' && e.level !== 'debug').forEach((e) => verticalLine(u, e.time, '#ff6b6b88'));
    const plot = new uPlot(
      {
        width: Math.max(200, frame.clientWidth), height: HEIGHT, title, series,
        cursor: { sync: { key: 'time' }, drag: { x: true, y: false } },
        scales: { x: { time: false }, y: { dir: isDown ? -1 : 1, range: atLeast } },
        axes: [{ ...axis, size: 28 }, { ...axis, size: 60, values: ticks }],
        hooks: { draw: [marks] },
      },
      data(),
      frame,
    );
    const cursor = document.createElement('div'); // an overlay, since a redraw for each frame costs most of its time
    cursor.className = 'now';
    plot.over.append(cursor);
    plot.over.addEventListener('click', (event) => this.seek(plot.posToVal(event.offsetX, 'x')));
    const remove = document.createElement('button');
    Object.assign(remove, { textContent: '×', className: 'remove', title: `remove ${title}` });
    remove.setAttribute('aria-label', `remove ${title}`);
    const panel = { frame, plot, cursor, data, title, series, isDown };
    remove.onclick = () => this.remove(panel);
    frame.append(remove);
    this.panels.push(panel);
    this.moveTo(this.now);
    return panel;
  }

  remove(panel) {
    this.panels.splice(this.panels.indexOf(panel), 1);
    panel.plot.destroy();
    panel.frame.remove();
  }

  moveTo(t) {
    this.now = t;
    for (const { plot, cursor } of this.panels) {
      const x = plot.valToPos(t, 'x'); // beyond the curves of a live run until they are drawn again, and of a zoomed panel
      cursor.style.transform = `translateX(${Math.max(0, Math.min(plot.over.clientWidth, x || 0))}px)`;
    }
  }

  // New rows of a run that is still simulated.
  refresh() {
    for (const { plot, data } of this.panels) plot.setData(data());
    this.moveTo(this.now);
  }

  // The same panels again, with the colours of another theme.
  redraw() {
    const panels = [...this.panels];
    for (const panel of panels) this.remove(panel);
    for (const { title, data, series, isDown } of panels) this.panel(title, data, series, isDown);
  }

  resize() {
    for (const { frame, plot } of this.panels) plot.setSize({ width: Math.max(200, frame.clientWidth), height: HEIGHT });
    this.moveTo(this.now);
  }
}

// All curves of the runs by the name that is searched: channel.field.
export function searchable(runs) {
  const found = new Map();
  for (const run of runs)
    for (const channel of run.channels)
      for (const field of channel.fields) {
        const name = `${channel.name}.${field.name}`;
        if (curveOf(channel, field.name)) found.set(name, { channel: channel.name, field: field.name, unit: field.unit });
      }
  return found;
}
