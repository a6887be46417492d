// Time line: position in the run, and events grouped where their marks would collide.
const SEVERITY = { debug: 0, info: 1, warning: 2, error: 3, fatal: 4 };
const COLOURS = ['#8fb0bd', '#8fb0bd', '#ffd43b', '#ff6b6b', '#ff6b6b'];
const MARK = 16; // px between two marks
const LABEL = 190; // px for a text
const MARGIN = 10; // px at both ends

export function groupEvents(events, width, duration) {
  const groups = [];
  for (const event of events) {
    const x = MARGIN + (event.time / duration) * (width - 2 * MARGIN);
    const last = groups[groups.length - 1];
    if (last && x - last.x < MARK) last.events.push(event);
    else groups.push({ x, events: [event] });
  }
  for (const group of groups) group.worst = group.events.reduce((a, b) => (SEVERITY[b.level] > SEVERITY[a.level] ? b : a));
  return groups;
}

export class TimeLine {
  constructor(canvas, tip, duration, events, seek) {
    Object.assign(this, { canvas, tip, duration, events, seek, now: 0 });
    const timeOf = (e) => {
      const box = canvas.getBoundingClientRect();
      const fraction = (e.clientX - box.left - MARGIN) / (box.width - 2 * MARGIN);
      return Math.max(0, Math.min(1, fraction)) * this.duration;
    };
    let isDragging = false;
    canvas.addEventListener('pointerdown', (e) => {
      isDragging = true;
      canvas.setPointerCapture(e.pointerId);
      seek(timeOf(e));
    });
    canvas.addEventListener('pointermove', (e) => {
      if (isDragging) seek(timeOf(e));
      this.showTip(e);
    });
    canvas.addEventListener('pointerup', () => (isDragging = false));
    canvas.addEventListener('pointerleave', () => (tip.hidden = true));
  }

  showTip(e) {
    const group = this.groups?.find((one) => Math.abs(one.x - e.offsetX) < MARK / 2);
    this.tip.hidden = !group;
    if (!group) return;
    this.tip.textContent = group.events.map((one) => `${one.time.toFixed(2)} s  ${one.source}: ${one.text}`).slice(0, 12).join('\n');
    this.tip.style.left = `${Math.max(8, Math.min(e.clientX - 40, innerWidth - this.tip.offsetWidth - 8))}px`;
  }

  draw(now) {
    this.now = now;
    const { canvas } = this;
    const ratio = devicePixelRatio;
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(w * ratio)) canvas.width = Math.round(w * ratio);
    if (canvas.height !== Math.round(h * ratio)) canvas.height = Math.round(h * ratio);
    const c = canvas.getContext('2d');
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    this.groups = groupEvents(this.events, w, this.duration);
    const style = getComputedStyle(document.body);
    const x = MARGIN + (now / this.duration) * (w - 2 * MARGIN);
    c.fillStyle = style.getPropertyValue('--grid');
    c.fillRect(MARGIN, h - 22, w - 2 * MARGIN, 4);
    c.fillStyle = '#4dabf7';
    c.fillRect(MARGIN, h - 22, x - MARGIN, 4);
    this.drawEvents(c, w, h, style.getPropertyValue('--text'));
    c.fillStyle = style.getPropertyValue('--text');
    c.beginPath();
    c.arc(x, h - 20, 7, 0, 2 * Math.PI);
    c.fill();
  }

  drawEvents(c, w, h, text) {
    c.font = '11px system-ui, sans-serif';
    let free = 0;
    for (const { x, events, worst } of this.groups) {
      c.fillStyle = COLOURS[SEVERITY[worst.level]];
      c.beginPath();
      c.moveTo(x, h - 24);
      c.lineTo(x - 4, h - 34);
      c.lineTo(x + 4, h - 34);
      c.fill();
      const start = Math.min(x - 4, w - LABEL);
      if (SEVERITY[worst.level] < SEVERITY.warning || start < free) continue;
      const more = events.length > 1 ? ` (+${events.length - 1})` : '';
      c.fillStyle = text;
      const short = worst.text.length > 30 ? `${worst.text.slice(0, 29)}…` : worst.text;
      c.fillText(`${short}${more}`, start, h - 40);
      free = start + LABEL;
    }
  }
}
