"""One module per command; `remora.cli.group` lists them."""
