"""Random numbers that are looked up instead of rolled: sample k of a named stream is the same whenever it is asked for.

A stream is keyed by the seed of the run and the scoped name of its user, so no stream knows of another: to add, remove
or reorder sensors changes nobody else's noise. Because a number depends on (seed, name, k) alone, nothing of a
generator needs to be saved for a run to be resumed or replayed bit by bit. Philox (Salmon et al. 2011) is a
counter-based generator made for this.
"""

import hashlib
from typing import Any, TypeAlias, final

import numpy as np

from remora.files.arrays import Array, Integers

# Samples drawn at once. A block starts at its own counter, so it can be drawn without those before it.
BLOCK = 64

_Rows: TypeAlias = list[tuple[float, ...]]
_NORMAL, _UNIFORM = 0, 1


@final
class Stream:
    """The random numbers of one user; immutable but for its generator and a memory of the last blocks drawn."""

    __slots__ = ("_generator", "_memory", "_words", "name", "seed")

    def __init__(self, seed: int, name: str) -> None:
        if seed < 0:
            raise ValueError(f"seed = {seed}: give a whole number that is not negative.")
        self.seed = seed
        self.name = name
        digest = hashlib.sha256(f"{seed}\0{name}".encode()).digest()
        self._words = np.frombuffer(digest[:16], dtype="<u8")
        self._generator: tuple[np.random.Generator, Any] | None = None  # with its state before the first number
        self._memory: list[tuple[int, int, _Rows]] = [(-1, 0, []), (-1, 0, [])]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and (self.seed, self.name) == (other.seed, other.name)

    def __hash__(self) -> int:
        return hash((self.seed, self.name))

    def __repr__(self) -> str:
        return f"Stream({self.seed}, {self.name!r})"

    def __reduce__(self) -> Any:
        return (Stream, (self.seed, self.name))

    def of(self, word: str) -> "Stream":
        """The stream of a part of the user."""
        return Stream(self.seed, f"{self.name}/{word}")

    def normals(self, k: int, count: int) -> tuple[float, ...]:
        """Standard normal numbers of sample k."""
        block, row = divmod(k, BLOCK)
        drawn, width, rows = self._memory[_NORMAL]
        if drawn != block or width != count:
            rows = self._draw(_NORMAL, block, count)
        return rows[row]

    def uniforms(self, k: int, count: int) -> tuple[float, ...]:
        """Numbers of sample k that are uniform in [0, 1)."""
        block, row = divmod(k, BLOCK)
        drawn, width, rows = self._memory[_UNIFORM]
        if drawn != block or width != count:
            rows = self._draw(_UNIFORM, block, count)
        return rows[row]

    def normal_rows(self, samples: Integers, count: int) -> Array:
        """Standard normal numbers of many samples, a row each, as by `normals`."""
        return self._rows(_NORMAL, samples, count)

    def uniform_rows(self, samples: Integers, count: int) -> Array:
        """Uniform numbers of many samples, a row each, as by `uniforms`."""
        return self._rows(_UNIFORM, samples, count)

    def _draw(self, shape: int, block: int, count: int) -> _Rows:
        """The rows of a block, which are also remembered."""
        rows = [tuple(row) for row in self._blocks(shape, block, 1, count).tolist()]
        self._memory[shape] = (block, count, rows)
        return rows

    def _rows(self, shape: int, samples: Integers, count: int) -> Array:
        if not samples.size:
            return np.empty((0, count))
        first, last = int(samples.min()) // BLOCK, int(samples.max()) // BLOCK
        return np.asarray(self._blocks(shape, first, last + 1 - first, count)[samples - first * BLOCK])

    def _blocks(self, shape: int, first: int, blocks: int, count: int) -> Array:
        """The rows of consecutive blocks."""
        if self._generator is None:
            source = np.random.Philox(key=self._words)
            self._generator = (np.random.Generator(source), source.state)
        generator, start = self._generator
        draw = generator.standard_normal if shape == _NORMAL else generator.random
        rows, counter = np.empty((blocks, BLOCK, count)), start["state"]["counter"]
        for i in range(blocks):
            counter[:] = (0, first + i, shape, 0)
            generator.bit_generator.state = start
            draw(out=rows[i])
        return rows.reshape(blocks * BLOCK, count)
