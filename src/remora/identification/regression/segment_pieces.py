"""Segments of a record in pieces that fit into the processor cache, and short pieces together."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from remora.identification.data.record import Segment
from remora.identification.regression.prefilter import Prefilter

PIECE_SAMPLES = 8192


def pieces_of_segments(segments: Sequence[Segment], prefilter: Prefilter) -> Iterator[Segment]:
    """Segments in pieces that fit into the processor cache.

    Pieces overlap by a window, so that their rows are those of the whole segment.
    """
    length = max(PIECE_SAMPLES, 4 * prefilter.shortest)
    step = len(prefilter.kept(length)) * prefilter.stride
    for s in segments:
        for start in range(s.start, s.stop, step):
            piece = Segment(start, min(start + length, s.stop))
            if piece.stop - piece.start >= prefilter.shortest:
                yield piece


def joined_pieces(segments: Sequence[Segment], prefilter: Prefilter) -> Iterator[list[Segment]]:
    """The same pieces, short ones together: calls of the equations with few samples each take much longer."""
    together: list[Segment] = []
    for piece in pieces_of_segments(segments, prefilter):
        if together and sum(s.stop - s.start for s in (*together, piece)) > PIECE_SAMPLES:
            yield together
            together = []
        together.append(piece)
    if together:
        yield together


def piece_slices(pieces: Sequence[Segment]) -> list[slice]:
    """Places of pieces in the joined samples."""
    ends = np.cumsum([s.stop - s.start for s in pieces]).tolist()
    return [slice(start, end) for start, end in pairwise([0, *ends])]
