"""The tasks of the benchmark are what they say: how long they take is no business of a test."""

import numpy as np

from remora.identification import fit_output_error
from remora_evidence.benchmarks import fits as identifying


def test_the_trajectory_fit_of_the_benchmark_finds_its_24_numbers() -> None:
    assert len(identifying.PARAMETERS) == 24
    vehicle = identifying.rov()
    assert len(vehicle.parameters.thrusters) == 8
    record = identifying.record_of(vehicle, 60.0, 0.05)
    wrong = identifying.started_wrong(vehicle, identifying.PARAMETERS)
    fit = fit_output_error(record, wrong, identifying.PARAMETERS)
    truth = identifying.truth_of(vehicle, identifying.PARAMETERS)
    assert np.sqrt(np.mean((fit.values / truth - 1.0) ** 2)) < 0.05


def test_the_record_of_an_hour_has_its_length() -> None:
    record = identifying.record_of(identifying.rov(), 36.0, 0.01, as_outputs=True)
    assert len(record) == 3601
    assert record.inputs is not None
    assert record.inputs.kind == "outputs"
