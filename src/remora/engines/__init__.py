"""Water for rigid-body engines that know none: added mass without explosions.

`remora.engines.mujoco` puts a vehicle's water around a body of a MuJoCo model. `remora.engines.standin` is a plain
engine as games have it, on which the schemes of `remora.engines.schemes` can be compared.
"""
