"""Cost of a mission page in headless Chromium: `python tests/report/page_speed.py PAGE.html`."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from report.chromium import browser

SCRUB = """(() => { const all = []; for (let i = 0; i < 200; i++) { const a = performance.now();
  remora.update(i / 200 * remora.duration); all.push(performance.now() - a); }
  all.sort((a, b) => a - b); return [all[100], all[190]]; })()"""
PLAY = """new Promise((done) => { let n = 0; const until = performance.now() + 8000;
  remora.update(0); remora.play(true);
  const count = () => { n++; if (performance.now() < until) return requestAnimationFrame(count);
    remora.play(false); done(n); };
  requestAnimationFrame(count); })"""


def main(page: Path) -> None:
    """Print CPU time to the first frame, script time of scrubbing and CPU time of a presented frame."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, browser(Path(folder)) as found:
        start = found.cpu_seconds()
        found.open(page.resolve().as_uri())
        first = found.cpu_seconds() - start
        median, most = found.evaluate(SCRUB)
        begun = found.cpu_seconds()
        frames = found.evaluate(PLAY)
        playing = found.cpu_seconds() - begun
    sys.stdout.write(f"first frame   {first:.2f} s CPU of all processes\n")
    sys.stdout.write(f"scrubbing     {median:.2f} ms of script a step, 95 % below {most:.2f} ms\n")
    sys.stdout.write(f"playing       {1e3 * playing / frames:.0f} ms CPU a frame, {frames} frames in 8 s\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
