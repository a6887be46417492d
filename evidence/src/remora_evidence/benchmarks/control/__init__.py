"""Speed of guidance, control and allocation."""
