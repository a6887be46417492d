// Rows of a run while it is simulated, by server-sent events; tables grow in place.

class GrowingColumn {
  constructor(type) {
    this.type = type;
    this.buffer = new type(1024);
    this.length = 0;
  }

  push(value) {
    if (this.length === this.buffer.length) {
      const larger = new this.type(2 * this.length);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer[this.length++] = value === null ? NaN : value;
    return this.buffer.subarray(0, this.length);
  }
}

function grower(channel) {
  const time = new GrowingColumn(Float64Array);
  const columns = Object.fromEntries(channel.fields.map((field) => [field.name, new GrowingColumn(Float32Array)]));
  return (t, row) => {
    channel.samples.time = time.push(t);
    channel.fields.forEach((field, i) => (channel.samples.columns[field.name] = columns[field.name].push(row[i])));
  };
}

// Connect to the run; resolves after the first rows. `changed` is called after each further message.
export function connect(header, changed) {
  const run = header.runs[0];
  const growers = Object.fromEntries(run.channels.map((channel) => [channel.name, grower(channel)]));
  const source = new EventSource('events');
  return new Promise((resolve) => {
    let isFirst = true;
    source.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      for (const [name, row] of Object.entries(message.rows ?? {})) growers[name](message.time, row);
      run.events.push(...(message.events ?? []));
      header.latest = message.time;
      if (message.ended) source.close();
      if (isFirst) resolve();
      else changed(message);
      isFirst = false;
    };
  });
}
