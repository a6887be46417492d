// A vehicle of a run: hull with plumes, path, estimate with its ellipsoid, reference, current, rays, tethers, links.
import * as THREE from 'three';
import { bracket, indexAt, valueAt } from './content.js';
import { poseAt, vector } from './frames.js';
import { hull, thruster } from './shapes.js';

const GHOST = 0xffa94d;
const OTHER_RUN = 0xb197fc;
const SIGMAS = 3;
const PATH_POINTS = 4000;

function path(table, faint) {
  const total = table.time.length;
  const every = Math.max(1, Math.ceil(total / PATH_POINTS));
  const count = Math.ceil(total / every);
  const c = table.columns;
  const points = new Float32Array(3 * count);
  const colours = new Float32Array(3 * count);
  const speeds = Float32Array.from({ length: count }, (_, a) => {
    const i = a * every;
    return Math.hypot(c.v_NB_B_x[i], c.v_NB_B_y[i], c.v_NB_B_z[i]);
  });
  const fastest = speeds.reduce((a, b) => (b > a ? b : a), 1e-9);
  const colour = new THREE.Color();
  for (let a = 0; a < count; a++) {
    const i = a * every;
    points.set([c.p_NB_x[i], -c.p_NB_z[i], c.p_NB_y[i]], 3 * a);
    colour.setHSL(0.55 - 0.5 * (speeds[a] / fastest || 0), 0.95, 0.6);
    colours.set([colour.r, colour.g, colour.b], 3 * a);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  const material = (opacity) => new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity });
  const whole = new THREE.Line(geometry, material(faint ? 0.15 : 0.3));
  const past = new THREE.Line(geometry.clone(), material(faint ? 0.5 : 1));
  past.show = (t) => past.geometry.setDrawRange(0, Math.max(2, Math.ceil((indexAt(table.time, t) + 1) / every)));
  return [whole, past];
}

// Largest thrust of the run over all thrusters, so that plumes of one vehicle can be compared.
function largestThrust(mounts, outputs) {
  let largest = 1e-9;
  for (const mount of mounts) {
    for (const value of outputs?.samples?.columns[mount.field] ?? []) if (Math.abs(value) > largest) largest = Math.abs(value);
  }
  return largest;
}

export class VehicleView {
  constructor(run, data, isOther) {
    const channel = (name) => run.byName[name];
    const scene = (name) => channel(`${data.channel}/${name}`);
    this.data = data;
    this.truth = scene('truth')?.samples;
    this.estimate = isOther ? null : scene('estimate');
    this.outputs = scene('outputs');
    this.reference = isOther ? null : scene('reference');
    this.water = isOther ? null : scene('water');
    this.objects = new THREE.Group();
    this.body = new THREE.Group();
    this.body.add(hull(data.looks, isOther ? OTHER_RUN : null));
    this.objects.add(this.body);
    this.plumes = isOther ? [] : data.thrusters.map((mount) => {
      const one = thruster(mount, data.scale);
      one.field = mount.field;
      this.body.add(one);
      return one;
    });
    this.isOther = isOther;
    this.refresh();
    if (this.estimate?.samples) this.addGhost(data);
    if (this.reference?.samples?.columns.p_NR_x) this.addGoal(data.scale);
    if (this.water || data.current) this.addCurrent(data);
    this.rays = isOther ? [] : data.rays.map((ray) => this.addRay(ray, channel(ray.channel)));
    this.tethers = isOther ? [] : data.tethers.map((tether) => this.addTether(tether, channel(tether.channel)));
  }

  // The path of all samples and the largest thrust; again for a run that is still simulated.
  refresh() {
    this.largest = largestThrust(this.data.thrusters, this.outputs);
    if (this.past) {
      this.objects.remove(this.whole, this.past);
      this.whole.geometry.dispose();
      this.past.geometry.dispose();
    }
    [this.whole, this.past] = path(this.truth, this.isOther);
    this.objects.add(this.whole, this.past);
  }

  addGhost(data) {
    this.ghost = hull(data.looks, GHOST);
    const material = new THREE.MeshBasicMaterial({ color: GHOST, transparent: true, opacity: 0.14, depthWrite: false });
    this.ellipsoid = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
    this.objects.add(this.ghost, this.ellipsoid);
  }

  addGoal(scale) {
    this.goal = new THREE.Mesh(new THREE.OctahedronGeometry(0.2 * scale), new THREE.MeshBasicMaterial({ color: 0x66ff99, wireframe: true }));
    this.objects.add(this.goal);
  }

  addCurrent(data) {
    this.current = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, 0x9be7ff);
    this.steady = data.current && vector(data.current);
    this.objects.add(this.current);
  }

  addRay(ray, channel) {
    const colour = ray.kind === 'dvl' ? 0x74c0fc : 0xff5fa2;
    const geometry = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(1, 0, 0)]);
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.7 }));
    const start = vector(ray.position);
    const direction = vector(ray.direction).normalize();
    this.body.add(line);
    line.show = (t) => {
      const distance = valueAt(channel, ray.field, t);
      line.visible = Number.isFinite(distance) && distance > 0;
      if (!line.visible) return;
      const end = start.clone().addScaledVector(direction, distance);
      line.geometry.attributes.position.array.set([...start.toArray(), ...end.toArray()]);
      line.geometry.attributes.position.needsUpdate = true;
    };
    return line;
  }

  addTether(tether, channel) {
    const count = tether.nodes.length;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xffd43b }));
    line.frustumCulled = false;
    this.objects.add(line);
    line.show = (t) => {
      const [i, j, w] = bracket(channel.samples.time, t);
      const c = channel.samples.columns;
      const at = (name) => c[name][i] * (1 - w) + c[name][j] * w;
      tether.nodes.forEach((node, k) => line.geometry.attributes.position.setXYZ(k, at(`${node}_x`), -at(`${node}_z`), at(`${node}_y`)));
      line.geometry.attributes.position.needsUpdate = true;
    };
    return line;
  }

  update(t) {
    const isKnown = poseAt(this.truth, t, this.body.position, this.body.quaternion);
    this.body.visible = isKnown;
    this.past.show(t);
    for (const plume of this.plumes) {
      const thrust = valueAt(this.outputs && { samples: this.outputs.samples }, plume.field, t);
      plume.setThrust(Number.isFinite(thrust) ? thrust / this.largest : 0);
    }
    this.updateEstimate(t);
    if (this.goal) this.goal.visible = poseAt(this.reference.samples, t, this.goal.position, null, 'NR');
    this.updateCurrent(t);
    for (const line of [...this.rays, ...this.tethers]) line.show(t);
  }

  updateEstimate(t) {
    if (!this.ghost) return;
    const table = this.estimate.samples;
    this.ghost.visible = poseAt(table, t, this.ghost.position, this.ghost.quaternion);
    const sigma = ['x', 'z', 'y'].map((axis) => SIGMAS * (table.columns[`sigma_p_N_${axis}`]?.[indexAt(table.time, t)] ?? NaN));
    this.ellipsoid.visible = this.ghost.visible && sigma.every((s) => s > 0);
    if (this.ellipsoid.visible) {
      this.ellipsoid.scale.set(...sigma);
      this.ellipsoid.position.copy(this.ghost.position);
    }
  }

  updateCurrent(t) {
    if (!this.current) return;
    const columns = this.water?.samples?.columns;
    const velocity = columns
      ? vector(['x', 'y', 'z'].map((axis) => columns[`v_NW_${axis}`][indexAt(this.water.samples.time, t)]))
      : this.steady;
    const speed = velocity.length();
    this.current.visible = speed > 1e-3;
    this.current.position.copy(this.body.position).add(new THREE.Vector3(0, 1.2 * this.data.scale, 0));
    if (this.current.visible) this.current.setDirection(velocity.clone().normalize());
    this.current.setLength(Math.max(0.05, 4 * speed * this.data.scale), 0.3 * this.data.scale, 0.18 * this.data.scale);
  }

  // Where a ray ends, in axes of the scene.
  endOf(ray) {
    return new THREE.Vector3(...ray.geometry.attributes.position.array.slice(3)).applyQuaternion(this.body.quaternion).add(this.body.position).toArray();
  }

  // Figures for the read-out and for tests.
  figures(t) {
    const c = this.truth.columns;
    const i = indexAt(this.truth.time, t);
    return {
      depth: c.p_NB_z[i],
      speed: Math.hypot(c.v_NB_B_x[i], c.v_NB_B_y[i], c.v_NB_B_z[i]),
      position: this.body.position.toArray(),
      ghost: this.ghost?.visible ? this.ghost.position.toArray() : null,
      plumes: this.plumes.map((plume) => plume.plumeLength),
      plumeWidths: this.plumes.map((plume) => plume.plumeWidth),
      goal: this.goal?.visible ? this.goal.position.toArray() : null,
      ahead: new THREE.Vector3(1, 0, 0).applyQuaternion(this.body.quaternion).toArray(),
      rays: this.rays.filter((ray) => ray.visible).map((ray) => this.endOf(ray)),
    };
  }
}

// Links between bodies: from one body origin over the joint to the other, while they are attached.
export function links(data, run, views) {
  return data.map(({ first, second, points, channel }) => {
    const ends = [first, second].map((name) => views.find((view) => view.data.name === name));
    const joints = points.map(vector);
    const geometry = new THREE.BufferGeometry().setFromPoints(Array.from({ length: 4 }, () => new THREE.Vector3()));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xf1f3f5 }));
    line.frustumCulled = false;
    line.show = (t) => {
      line.visible = ends.every((view) => view?.body.visible) && valueAt(run.byName[channel], 'attached', t) > 0.5;
      if (!line.visible) return;
      const [one, other] = ends.map(({ body }, k) => joints[k].clone().applyQuaternion(body.quaternion).add(body.position));
      [ends[0].body.position, one, other, ends[1].body.position].forEach((p, k) => geometry.attributes.position.setXYZ(k, p.x, p.y, p.z));
      geometry.attributes.position.needsUpdate = true;
    };
    return line;
  });
}
