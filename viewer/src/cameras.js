// Cameras that follow a vehicle, and a free one.
import * as THREE from 'three';

// Offsets from the vehicle in multiples of its size, in axes of the scene; chase turns with the heading.
const OFFSETS = { chase: [-3.2, 1.6, 1.6], side: [0.4, 0.8, 6.8], top: [-0.02, 12, 0], far: [-10, 6.4, 14], under: [-8, -2.4, 7] };
// Where else a camera may stand, as factors of the offset: the first that sees farthest is taken.
const PLACES = { chase: [[1, 1], [1, -1]], side: [[1, 1], [1, -1]], top: [[1, 1]] };
const ALL_AROUND = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const OPEN = 4; // distances of the camera; what is farther behind it does not matter
const BEFORE = 0.9; // share of the way to a solid that hides the vehicle, at which the camera stands
export const VIEWS = [...Object.keys(OFFSETS), 'free'];

export class Follower {
  // `solids` are objects that the camera must stand before.
  constructor(camera, controls, solids) {
    Object.assign(this, { camera, controls, solids, view: 'far', last: new THREE.Vector3(), drawn: 1 });
    this.ray = new THREE.Raycaster();
    for (const solid of solids) solid.updateMatrixWorld();
  }

  place(view, target, scale) {
    this.view = view;
    this.last.copy(target.position);
    this.drawn = 1;
    if (!OFFSETS[view]) return;
    const [x, y, z] = OFFSETS[view];
    const ahead = new THREE.Vector3(1, 0, 0).applyQuaternion(target.quaternion);
    const turn = view === 'chase' ? Math.atan2(-ahead.z, ahead.x) : 0;
    const offsets = (PLACES[view] ?? ALL_AROUND).map(([a, b]) =>
      new THREE.Vector3(a * x, y, b * z).multiplyScalar(scale).applyAxisAngle(new THREE.Vector3(0, 1, 0), turn),
    );
    const seen = offsets.map((offset) => this.clear(target.position, offset, OPEN));
    const away = offsets[seen.findIndex((one) => one > Math.max(...seen) - 1e-6)];
    this.camera.position.copy(target.position).add(away);
    this.controls.target.copy(target.position);
    this.standBefore();
  }

  // Distance from a point towards an offset up to the first solid, in lengths of the offset, at most some of them.
  clear(from, offset, most) {
    const length = offset.length();
    this.ray.set(from, offset.clone().divideScalar(length));
    this.ray.far = most * length;
    const [hit] = this.ray.intersectObjects(this.solids, false);
    return hit ? hit.distance / length : most;
  }

  // Move with the vehicle, so that what the user turned or zoomed stays.
  follow(target) {
    if (this.view !== 'free' && target.visible) {
      const moved = target.position.clone().sub(this.last);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.standBefore();
    }
    this.last.copy(target.position);
  }

  // Stand before what would hide the vehicle, and go back to the asked distance where nothing does.
  standBefore() {
    const { position } = this.camera;
    const offset = position.clone().sub(this.controls.target).divideScalar(this.drawn);
    this.drawn = Math.min(1, BEFORE * this.clear(this.controls.target, offset, 1 / BEFORE));
    position.copy(this.controls.target).addScaledVector(offset, this.drawn);
  }

  // Turn the camera around the vehicle, as a user may, for tests.
  turn(angle) {
    const offset = this.camera.position.clone().sub(this.controls.target).applyAxisAngle(new THREE.Vector3(0, 1, 0), angle);
    this.camera.position.copy(this.controls.target).add(offset);
  }

  // Share of the way from the vehicle to the camera that no solid hides, for tests.
  sight() {
    return this.clear(this.controls.target, this.camera.position.clone().sub(this.controls.target), 1);
  }
}
