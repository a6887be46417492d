"""Public functions of `import remora` and their results, which draw, describe and save themselves."""
