"""Speed figures of this machine, next to MuJoCo in the same run: the content of `remora bench`."""
