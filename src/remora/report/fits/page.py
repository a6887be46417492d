"""HTML page of a fit or a validation, with embedded pictures."""

import base64
import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

import remora
from remora.files.catalogue import html_table
from remora.identification.validation import RecordValidation, Validation
from remora.report.drawing import picture_bytes
from remora.report.fits.summary import TextTable, parameter_table, score_table, troubles, what_was_judged

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.figure import Figure

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}"
    "td:first-child,th:first-child{text-align:left}img{max-width:100%}"
)


def fit_page(judgement: Validation, figures: Sequence["Figure"], title: str) -> str:
    """Parameters, warnings, scores before and after, pictures, and what was done to the data."""
    fit = judgement.fit
    return _page(
        title,
        f"<p>{html.escape(fit.method)}, fitted to {html.escape(fit.data)}.</p>",
        "<h2>Parameters</h2>",
        _table(parameter_table(fit)),
        f"<h2>What to know about them</h2>{_list(fit.warnings)}" if fit.warnings else "",
        f"<h2>Treatment of the fitted data</h2>{_list(judgement.notes)}" if judgement.notes else "",
        *_judged(judgement.parts, judgement.axes, figures),
        *(
            f"<h2>What record {k} excites</h2>{_list(one.sentences)}"
            for k, one in enumerate(judgement.excited, start=1)
        ),
    )


def validation_page(
    parts: Sequence[RecordValidation], axes: Sequence[str], figures: Sequence["Figure"], title: str
) -> str:
    """Scores of a vehicle on records, with pictures."""
    return _page(title, *_judged(parts, axes, figures))


def _judged(parts: Sequence[RecordValidation], axes: Sequence[str], figures: Sequence["Figure"]) -> list[str]:
    pieces = []
    for part, figure in zip(parts, figures, strict=True):
        encoded = base64.b64encode(picture_bytes(figure)).decode("ascii")
        pieces += [
            f"<h2>{html.escape(what_was_judged(part))}</h2>",
            _table(score_table(part, axes)),
            f'<p><img alt="measured motion and models" src="data:image/png;base64,{encoded}"></p>',
            _list((*part.uniform.provenance, *troubles(part))),
        ]
    return pieces


def _list(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _table(table: TextTable) -> str:
    return html_table(table.heads, table.rows)


def _page(title: str, *pieces: str) -> str:
    title = html.escape(title)
    foot = f"<p>remora {remora.__version__}</p>"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    return "\n".join([head, f"<h1>{title}</h1>", *filter(None, pieces), foot, "</html>", ""])
