// Content of the page: a JSON header and binary columns, deflated and encoded as base64.
// The writer is remora/report/mission_page/encoding.py.

const MISSING = 65535; // code of NaN in 16-bit columns

class Reader {
  constructor(bytes, offset) {
    this.bytes = bytes;
    this.offset = offset;
  }

  // Bytes stored plane by plane: all lowest bytes first, then the next ones.
  planes(count, width) {
    const out = new Uint8Array(count * width);
    for (let b = 0; b < width; b++) {
      const plane = this.bytes.subarray(this.offset + b * count, this.offset + (b + 1) * count);
      for (let i = 0, k = b; i < count; i++, k += width) out[k] = plane[i];
    }
    this.offset += count * width;
    return out.buffer;
  }

  float32(count) {
    return new Float32Array(this.planes(count, 4));
  }

  uint16(count, low, high) {
    const deltas = new Uint16Array(this.planes(count, 2));
    const values = new Float32Array(count);
    const scale = (high - low) / (MISSING - 1);
    for (let i = 0, code = 0; i < count; i++) {
      code = (code + deltas[i]) & 65535;
      values[i] = code === MISSING ? NaN : low + scale * code;
    }
    return values;
  }

  times(spec, count) {
    const times = new Float64Array(count);
    if (spec.step !== undefined) {
      for (let i = 0; i < count; i++) times[i] = spec.start + i * spec.step;
      return times;
    }
    const deltas = new Uint32Array(this.planes(count, 4));
    for (let i = 0, total = 0; i < count; i++) {
      total += deltas[i];
      times[i] = spec.start + 1e-6 * total;
    }
    return times;
  }
}

function readTable(reader, spec) {
  const table = { time: reader.times(spec.time, spec.count), columns: {} };
  for (const column of spec.columns) {
    table.columns[column.name] =
      column.low === undefined ? reader.float32(spec.count) : reader.uint16(spec.count, column.low, column.high);
  }
  return table;
}

export async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const reader = new Reader(new Uint8Array(buffer), 4 + length);
  for (const run of header.runs) {
    for (const channel of run.channels) {
      channel.samples = channel.samples && readTable(reader, channel.samples);
      channel.extremes = channel.extremes && readTable(reader, channel.extremes);
    }
    run.byName = Object.fromEntries(run.channels.map((channel) => [channel.name, channel]));
  }
  return header;
}

// Index of the last time at or before t; 0 before the first.
export function indexAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  if (high < 0 || t <= times[0]) return 0;
  if (t >= times[high]) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

// Two neighbouring indices around t and the weight of the second.
export function bracket(times, t) {
  const i = indexAt(times, t);
  const j = Math.min(i + 1, times.length - 1);
  const w = j > i ? Math.min(1, Math.max(0, (t - times[i]) / (times[j] - times[i]))) : 0;
  return [i, j, w];
}

// The table that shows a field over time: extremes of each interval where the channel was thinned, else all samples.
export function curveOf(channel, field) {
  const table = channel.extremes && field in channel.extremes.columns ? channel.extremes : channel.samples;
  return table && field in table.columns ? { time: table.time, values: table.columns[field] } : null;
}

// Value of a field at a time, held from the last sample on.
export function valueAt(channel, field, t) {
  const curve = channel && curveOf(channel, field);
  return curve && curve.time.length ? curve.values[indexAt(curve.time, t)] : NaN;
}
