// Resolution that adapts to the time between presented frames.
const RATIOS = [2, 1.5, 1, 0.7, 0.5, 0.35];
const SLOW = 90; // ms a frame
const FAST = 22;
const FRAMES = 6; // measured before a change

export function isSoftware(gl) {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
  return /swiftshader|llvmpipe|software/i.test(String(name));
}

export class Quality {
  constructor(software, apply) {
    const start = software ? 0.5 : Math.min(devicePixelRatio, 2);
    this.best = software ? RATIOS.indexOf(0.7) : 0;
    this.level = Math.max(0, RATIOS.findIndex((ratio) => ratio <= start));
    Object.assign(this, { apply, total: 0, count: 0 });
    apply(RATIOS[this.level]);
  }

  presented(elapsed) {
    if (elapsed > 1000) return; // the page was in the background
    this.total += elapsed;
    if (++this.count < FRAMES) return;
    const mean = this.total / this.count;
    this.total = this.count = 0;
    const level = this.level + (mean > SLOW ? 1 : mean < FAST ? -1 : 0);
    if (level === this.level || level < this.best || level >= RATIOS.length) return;
    this.level = level;
    this.apply(RATIOS[level]);
  }
}
