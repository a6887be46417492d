"""Kernels that round as plain Python does: copies without fused multiply-add, ray casting, recursions."""
