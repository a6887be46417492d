// Cameras that follow a vehicle, and a free one.
import * as THREE from 'three';

// Offsets from the vehicle in multiples of its size, in axes of the scene; chase turns with the heading.
const OFFSETS = { chase: [-3.2, 1.6, 1.6], side: [0.4, 0.8, 6.8], top: [-0.02, 12, 0], far: [-10, 6.4, 14], under: [-8, -2.4, 7] };
export const VIEWS = [...Object.keys(OFFSETS), 'free'];

export class Follower {
  constructor(camera, controls) {
    Object.assign(this, { camera, controls, view: 'far', last: new THREE.Vector3() });
  }

  place(view, target, scale) {
    this.view = view;
    this.last.copy(target.position);
    const offset = OFFSETS[view];
    if (!offset) return;
    const away = new THREE.Vector3(...offset).multiplyScalar(scale);
    if (view === 'chase') {
      const ahead = new THREE.Vector3(1, 0, 0).applyQuaternion(target.quaternion);
      away.applyAxisAngle(new THREE.Vector3(0, 1, 0), Math.atan2(-ahead.z, ahead.x));
    }
    this.camera.position.copy(target.position).add(away);
    this.controls.target.copy(target.position);
  }

  // Move with the vehicle, so that what the user turned or zoomed stays.
  follow(target) {
    if (this.view !== 'free' && target.visible) {
      const moved = target.position.clone().sub(this.last);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    }
    this.last.copy(target.position);
  }
}
