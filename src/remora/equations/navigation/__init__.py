"""Equations of navigation filters: errors of a state, process models, and measurements as functions of the state."""
