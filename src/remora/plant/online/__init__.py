"""Compiled recursive and adaptive estimators."""
