"""Studies of Nielsen 2018: tank tests of a modular vehicle."""
