"""Recursive and adaptive estimators, sample by sample."""
