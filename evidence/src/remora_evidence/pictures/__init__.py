"""Pictures of published experiments."""
