"""`remora view`: the mission page of a log."""

from pathlib import Path

import click

from remora.cli.commands.plot import print_problems
from remora.cli.log_options import log_sources, reader_option
from remora.cli.overwrite_check import check_replaceable


@click.command()
@click.argument("log")
@click.argument("second", required=False)
@click.option("--out", help="Page, a file ending in .html; default beside the log.")
@reader_option
def view(log: str, second: str | None, out: str | None, reader: str | None) -> None:
    """Write LOG as a page for a browser: scene, time series, events and figures in one HTML file.

    A SECOND log is drawn beside the first for comparison. The page needs no network and no other file. A damaged log is
    shown as far as it can be read. Exit code 0: a page was written. 2: the log cannot be read.
    """
    page = _page_path(log, out)
    from remora.logs import read_log
    from remora.report.mission_page import write_page

    logs = [log, *([second] if second else [])]
    read = [read_log(source) for source in log_sources(logs, reader)]
    for name, one in zip(logs, read, strict=True):
        print_problems(name, one.problems)
    page.parent.mkdir(parents=True, exist_ok=True)
    click.echo(f"page: {write_page(read, page, [Path(name).stem for name in logs])}")


def _page_path(log: str, out: str | None) -> Path:
    """Path of the page, by default beside the log."""
    page = Path(out) if out is not None else Path(log).parent / f"{Path(log).resolve().stem or 'log'}.html"
    if page.suffix.lower() != ".html" or page.is_dir():
        raise ValueError(f"--out {out}: pages are HTML files. Give a file ending in .html.")
    check_replaceable("--out", page)
    return page
