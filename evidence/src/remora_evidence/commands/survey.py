"""List a survey of docking schemes in the literature."""

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def survey(as_json: bool) -> None:
    """List a survey of docking: vehicles, targets, evidence, navigation, styles and control of 56 publications.

    Counts are those of Nielsen 2018, Table 1.1. None of the schemes shares states between the vehicles.
    """
    from remora_evidence.studies.modular.docking_survey import docking_survey

    found = docking_survey()
    click.echo(json.dumps(found._asdict(), indent=2) if as_json else str(found))
