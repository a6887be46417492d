"""Sensor models: the error-free measurement of every kind of sensor."""
