"""Sample plug-in of Remora; each module holds one object that an entry point of pyproject.toml names."""
