"""Speed of whole missions and campaigns."""
