// Solid shapes of vehicles from their description, and plumes of thrusters.
import * as THREE from 'three';
import { vector } from './frames.js';

const MAX_PLUME = 3; // lengths of the thruster diameter's scale at full thrust
const UP = new THREE.Vector3(0, 1, 0);

function barGeometry(from, to, width) {
  const along = to.clone().sub(from);
  const box = new THREE.BoxGeometry(width, along.length() + width, width);
  box.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(UP, along.normalize()));
  return box.translate(...from.clone().add(to).multiplyScalar(0.5).toArray());
}

function frameGeometries(size, bar) {
  const [x, y, z] = size.map((s) => s / 2);
  const corner = (a, b, c) => vector([a * x, b * y, c * z]);
  const edges = [];
  for (const a of [-1, 1])
    for (const b of [-1, 1]) {
      edges.push([corner(-1, a, b), corner(1, a, b)], [corner(a, -1, b), corner(a, 1, b)], [corner(a, b, -1), corner(a, b, 1)]);
    }
  return edges.map(([from, to]) => barGeometry(from, to, bar));
}

function meshGeometry(triangles) {
  const points = new Float32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) points.set([triangles[i], -triangles[i + 2], triangles[i + 1]], i);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return geometry;
}

function geometriesOf(shape) {
  if (shape.shape === 'box') return [new THREE.BoxGeometry(shape.size[0], shape.size[2], shape.size[1])];
  if (shape.shape === 'frame') return frameGeometries(shape.size, shape.bar);
  if (shape.shape === 'mesh') return [meshGeometry(shape.triangles)];
  if (shape.shape === 'ball') return [new THREE.SphereGeometry(shape.diameter / 2, 28, 18)];
  const straight = Math.max(shape.length - shape.diameter, 1e-3);
  const capsule = new THREE.CapsuleGeometry(shape.diameter / 2, straight, 8, 24);
  return [capsule.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(UP, vector(shape.axis).normalize()))];
}

// The hull as a group of meshes; a ghost is a wire frame of one colour.
export function hull(looks, ghostColour) {
  const group = new THREE.Group();
  for (const shape of looks) {
    const material = ghostColour
      ? new THREE.MeshBasicMaterial({ color: ghostColour, wireframe: true, transparent: true, opacity: 0.3 })
      : new THREE.MeshStandardMaterial({ color: shape.colour, roughness: 0.5, metalness: 0.15 });
    for (const geometry of geometriesOf(shape)) {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.position.copy(vector(shape.position));
      group.add(mesh);
    }
  }
  return group;
}

const plumeShader = {
  vertexShader: 'varying float y; void main() { y = -position.y; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'uniform vec3 colour; varying float y; void main() { gl_FragColor = vec4(colour, 0.75 * (1.0 - y) * (1.0 - y)); }',
};

// A thruster ring and its plume; setThrust(fraction of the largest thrust of the run) gives its length.
export function thruster(mount, scale) {
  const group = new THREE.Group();
  const axis = vector(mount.axis).normalize();
  const ring = new THREE.Mesh(
    new THREE.TorusGeometry(0.1 * scale, 0.028 * scale, 8, 20),
    new THREE.MeshStandardMaterial({ color: 0x11161b }),
  );
  ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
  const plume = new THREE.Mesh(
    new THREE.ConeGeometry(0.11 * scale, 1, 14, 1, true).translate(0, -0.5, 0),
    new THREE.ShaderMaterial({
      ...plumeShader,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      blending: THREE.AdditiveBlending,
      uniforms: { colour: { value: new THREE.Color(0x7fe8ff) } },
    }),
  );
  group.position.copy(vector(mount.position));
  group.add(ring, plume);
  const forward = new THREE.Quaternion().setFromUnitVectors(UP, axis);
  const reverse = new THREE.Quaternion().setFromUnitVectors(UP, axis.clone().negate());
  group.setThrust = (fraction) => {
    const share = Math.min(Math.abs(fraction), 1);
    const length = share * MAX_PLUME * scale;
    const width = 0.6 + 0.3 * share;
    plume.visible = length > 0.01 * scale;
    plume.scale.set(width, Math.max(length, 1e-6), width);
    plume.quaternion.copy(fraction >= 0 ? forward : reverse);
    group.plumeLength = plume.visible ? length : 0;
    group.plumeWidth = width;
  };
  group.setThrust(0);
  return group;
}
