"""Model equations of estimators: lumped single axis, gyro-driven, adaptive, pendulums."""
