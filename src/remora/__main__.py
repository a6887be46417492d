"""`python -m remora` is the command `remora`."""

from remora.cli import main

if __name__ == "__main__":
    main(prog_name="remora")
