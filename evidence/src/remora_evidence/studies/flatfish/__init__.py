"""Studies of Britto Neto 2018: the FlatFish, its identification and added mass in a rigid-body engine."""
