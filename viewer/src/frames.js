// From north-east-down and forward-right-down to the axes of three.js: x stays, y is up, z is east or starboard.
import { Quaternion, Vector3 } from 'three';
import { bracket } from './content.js';

export const vector = (p) => new Vector3(p[0], -p[2], p[1]);
export const quaternion = (q) => new Quaternion(q[1], -q[3], q[2], q[0]);

const second = new Quaternion();

// Write the pose of a table at time t, interpolated; false where it is unknown.
export function poseAt(table, t, position, attitude, frame = 'NB') {
  const c = table.columns;
  const [i, j, w] = bracket(table.time, t);
  const mix = (name) => c[name][i] * (1 - w) + c[name][j] * w;
  position.set(mix(`p_${frame}_x`), -mix(`p_${frame}_z`), mix(`p_${frame}_y`));
  const q = (k) => [0, 1, 2, 3].map((n) => c[`q_${frame}_${n}`][k]);
  if (attitude && c[`q_${frame}_0`]) attitude.copy(quaternion(q(i))).slerp(second.copy(quaternion(q(j))), w);
  return Number.isFinite(position.x + position.y + position.z + (attitude ? attitude.w : 0));
}
