"""Atomic writing and hashes of files. Missing folders are made; errors name the file that was asked for."""

import errno
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Write through a temporary file that is renamed at the end: complete, or not at all."""
    with _beside(path) as temporary:
        write(temporary)
        os.replace(temporary, path)


def make_folder_of(path: Path) -> None:
    """Make the folder of a file; NotADirectoryError with its name where there is a file in its place."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path.parent)) from None


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file in the folder of a file, which is made; removed at the end unless it was renamed."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        make_folder_of(path)
        yield temporary
    except OSError as error:
        if error.filename == str(temporary):
            raise type(error)(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        if path.parent.is_dir():
            temporary.unlink(missing_ok=True)


def file_hash(path: str | Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a file."""
    return _digest(Path(path).read_bytes())


def text_hash(text: str) -> str:
    """The same of a text, as if it were in a file."""
    return _digest(text.encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write several files atomically: none is renamed before all are written."""
    with ExitStack() as stack:
        temporary = {path: stack.enter_context(_beside(path)) for path in files}
        for path, content in files.items():
            temporary[path].write_bytes(content)
        for path, beside in temporary.items():
            os.replace(beside, path)
