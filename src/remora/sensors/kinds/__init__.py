"""Kinds of sensors. A `SensorKind` in any module below this package is available under its name in files."""
