"""Evidence: studies of the literature, check-cases and benchmarks, each figure with its bound and verdict."""
