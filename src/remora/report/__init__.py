"""What people look at after a run: figures and words."""
