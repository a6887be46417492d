// Surroundings of a run: bed, surface with waves, tunnels, obstacles, zones and named points.
import * as THREE from 'three';
import { quaternion, vector } from './frames.js';

const WAVES = 24; // regular waves that the surface shows

// Lines at whole numbers; none where the number is the same everywhere, as on a wall across its axis.
const gridLine = 'float line(float v, float w) { float d = fwidth(v); if (d < 1e-5) return 0.0; float f = abs(fract(v - 0.5) - 0.5) / d; return 1.0 - smoothstep(w, w + 1.0, f); }';
const withDistance = 'varying vec3 p; varying float away; void main() { p = position; vec4 m = modelViewMatrix * vec4(position, 1.0); away = -m.z; gl_Position = projectionMatrix * m; }';

function bed(data, fog) {
  const { north, east, step, rows, columns, depths } = data;
  const points = [];
  const index = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) points.push(north + i * step, -(depths[i * columns + j] ?? NaN), east + j * step);
  const known = (k) => depths[k] !== null;
  for (let i = 0; i + 1 < rows; i++)
    for (let j = 0; j + 1 < columns; j++) {
      const [a, b, c, d] = [i * columns + j, i * columns + j + 1, (i + 1) * columns + j, (i + 1) * columns + j + 1];
      if ([a, b, c, d].every(known)) index.push(a, b, c, b, d, c);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(points.map((x) => x || 0)), 3));
  geometry.setIndex(index);
  const material = new THREE.ShaderMaterial({
    side: THREE.DoubleSide,
    uniforms: { fog: { value: fog }, range: { value: data.visibility } },
    vertexShader: withDistance,
    fragmentShader: `uniform vec3 fog; uniform float range; varying vec3 p; varying float away; ${gridLine}
      float noise(vec2 v) { return fract(sin(dot(v, vec2(12.9, 78.2))) * 43758.5); }
      void main() {
        float n = noise(floor(p.xz * 14.0)) * 0.05 + noise(floor(p.xz * 5.0)) * 0.05;
        vec3 c = (vec3(0.42, 0.39, 0.28) + n) * vec3(0.55, 0.85, 0.9);
        c = mix(c, vec3(0.85, 1.0, 1.0), 0.16 * max(line(p.x, 0.0), line(p.z, 0.0)));
        c = mix(c, vec3(1.0, 0.85, 0.4), 0.4 * line(p.y * 2.0, 0.3));
        gl_FragColor = vec4(mix(c, fog, 1.0 - exp(-pow(away / range, 2.0))), 1.0);
      }`,
  });
  return new THREE.Mesh(geometry, material);
}

function surface(data, fog) {
  const geometry = new THREE.PlaneGeometry(data.size, data.size, 96, 96).rotateX(-Math.PI / 2);
  const waves = data.waves.slice(0, WAVES);
  const rows = Array.from({ length: WAVES }, (_, i) => new THREE.Vector4(...(waves[i] ?? [0, 0, 0, 0, 0]).slice(0, 4)));
  const phases = Array.from({ length: WAVES }, (_, i) => (waves[i] ?? [0, 0, 0, 0, 0])[4]);
  const material = new THREE.ShaderMaterial({
    transparent: true,
    side: THREE.DoubleSide,
    depthWrite: false,
    uniforms: {
      t: { value: 0 }, waves: { value: rows }, phases: { value: phases }, fog: { value: fog }, reach: { value: data.size / 2 },
      height: { value: Math.max(0.05, data.height) },
    },
    vertexShader: `uniform float t; uniform vec4 waves[${WAVES}]; uniform float phases[${WAVES}]; varying vec3 p; varying float rise;
      void main() {
        vec4 q = modelMatrix * vec4(position, 1.0); rise = 0.0;
        for (int i = 0; i < ${WAVES}; i++) {
          vec4 w = waves[i];
          rise += w.x * cos(w.z * (q.x * cos(w.w) + q.z * sin(w.w)) - w.y * t + phases[i]);
        }
        q.y += rise; p = position; gl_Position = projectionMatrix * viewMatrix * q;
      }`,
    fragmentShader: `uniform vec3 fog; uniform float reach; uniform float height; varying vec3 p; varying float rise;
      void main() {
        float r = length(p.xz) / reach;
        vec3 c = mix(vec3(0.35, 0.75, 0.85), vec3(0.75, 0.97, 1.0), clamp(rise / height + 0.5, 0.0, 1.0));
        gl_FragColor = vec4(mix(c, fog, smoothstep(0.2, 1.0, r)), 0.34 * (1.0 - smoothstep(0.55, 1.0, r)));
      }`,
  });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.position.copy(vector([data.center[0], data.center[1], data.level]));
  mesh.setTime = (t) => (material.uniforms.t.value = t);
  return mesh;
}

function tunnel(data, fog) {
  const group = new THREE.Group();
  const shape = new THREE.Shape(data.outline.map(([y, z]) => new THREE.Vector2(y, -z)));
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: data.length, bevelEnabled: false, steps: 1 });
  // Extruded along z with (starboard, up) in x and y; turn z into the axis of the tunnel.
  geometry.applyMatrix4(new THREE.Matrix4().makeBasis(new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, 1, 0), new THREE.Vector3(1, 0, 0)));
  const material = new THREE.ShaderMaterial({
    side: THREE.FrontSide, // makeBasis above mirrors, so the inside faces the camera
    uniforms: { fog: { value: fog } },
    vertexShader: withDistance,
    fragmentShader: `uniform vec3 fog; varying vec3 p; varying float away; ${gridLine}
      void main() {
        vec3 c = vec3(0.21, 0.28, 0.31);
        c = mix(c, vec3(0.5, 0.75, 0.8), 0.35 * max(line(p.x, 0.2), max(line(p.y, 0.2), line(p.z, 0.2))));
        c = mix(c, vec3(1.0, 0.85, 0.4), 0.8 * line(p.x / 5.0, 0.4));
        gl_FragColor = vec4(mix(c, fog, 1.0 - exp(-away * away * 0.0016)), 1.0);
      }`,
  });
  group.add(new THREE.Mesh(geometry, material));
  group.position.copy(vector(data.start));
  group.quaternion.copy(quaternion(data.q));
  return group;
}

function obstacle(data) {
  const material = new THREE.MeshStandardMaterial({
    color: data.zone ? 0xff6b6b : 0xb5793a, roughness: 0.9, transparent: Boolean(data.zone), opacity: data.zone ? 0.18 : 1, depthWrite: !data.zone,
  });
  let mesh;
  if (data.shape === 'ball') mesh = new THREE.Mesh(new THREE.SphereGeometry(data.radius, 32, 20), material);
  else if (data.shape === 'cylinder') {
    const geometry = new THREE.CylinderGeometry(data.radius, data.radius, data.length, 28).rotateZ(-Math.PI / 2);
    mesh = new THREE.Mesh(geometry, material);
  } else mesh = new THREE.Mesh(new THREE.BoxGeometry(data.size[0], data.size[2], data.size[1]), material);
  mesh.position.copy(vector(data.center));
  if (data.q) mesh.quaternion.copy(quaternion(data.q));
  const edges = new THREE.EdgesGeometry(mesh.geometry, 30);
  mesh.add(new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: data.zone ? 0xff8f8f : 0x3a2410 })));
  return mesh;
}

// Objects of the scene; `isSolid` are those that hide what is behind them from every side.
export function environment(data, fog) {
  const objects = [];
  const solid = (object) => Object.assign(object, { isSolid: true });
  if (data.bed) objects.push(solid(bed(data.bed, fog)));
  if (data.surface) objects.push(surface(data.surface, fog));
  for (const one of data.tunnels) objects.push(tunnel(one, fog));
  for (const one of data.obstacles) objects.push(one.zone ? obstacle(one) : solid(obstacle(one)));
  for (const point of data.points) {
    const mark = new THREE.Mesh(new THREE.OctahedronGeometry(0.12), new THREE.MeshBasicMaterial({ color: 0xffd43b, wireframe: true }));
    mark.position.copy(vector(point.position));
    mark.name = point.name;
    objects.push(mark);
  }
  return objects;
}
