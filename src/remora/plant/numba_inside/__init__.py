"""Places where Remora reaches into Numba, and Numba as it is where a version has changed."""
