"""Replays of navigation filters: summary, picture and table of estimates."""
