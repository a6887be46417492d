"""Similarity of a measured and a simulated signal: time warping, shape distances, correlation."""

from remora.identification.similarity.shape_distances import (
    frechet_distance,
    hausdorff_distance,
    mean_square_error,
    pearson_correlation,
    procrustes_distance,
)
from remora.identification.similarity.signals import SimilarityError
from remora.identification.similarity.time_warping import WarpedSignals, dynamic_time_warping

__all__ = [
    "SimilarityError",
    "WarpedSignals",
    "dynamic_time_warping",
    "frechet_distance",
    "hausdorff_distance",
    "mean_square_error",
    "pearson_correlation",
    "procrustes_distance",
]
