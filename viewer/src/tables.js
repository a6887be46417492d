// Figures of the run and events as tables, for readers who do not use the scene.
const row = (cells, tag = 'td') => {
  const tr = document.createElement('tr');
  tr.append(...cells.map((text) => Object.assign(document.createElement(tag), { textContent: text })));
  return tr;
};

export function fillTables(figures, events, header, seek) {
  for (const [label, value] of header.figures) figures.append(row([label, value]));
  let listed = 0;
  const list = () => {
    for (const event of header.runs[0].events.slice(listed)) {
      const tr = row([`${event.time.toFixed(2)} s`, event.level, event.source, event.text]);
      tr.className = event.level;
      tr.tabIndex = 0;
      tr.onclick = () => seek(event.time);
      tr.onkeydown = (e) => e.key === 'Enter' && seek(event.time);
      events.append(tr);
      listed += 1;
    }
  };
  list();
  const live = document.createElement('tbody');
  figures.prepend(live);
  const table = figures.closest('details');
  return (views, t) => {
    list(); // those of a live run come later
    if (!table.open) return;
    const rows = views.map((view) => {
      const { depth, speed, position } = view.figures(t);
      const place = `north ${position[0].toFixed(2)} m, east ${position[2].toFixed(2)} m, depth ${depth.toFixed(2)} m`;
      return row([`${view.data.name} at ${t.toFixed(1)} s`, `${place}, ${speed.toFixed(2)} m/s`]);
    });
    live.replaceChildren(...rows);
  };
}
