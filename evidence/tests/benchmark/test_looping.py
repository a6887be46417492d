"""The loop keeps its memory while a run gets longer."""

from remora_evidence.benchmarks.loop import peak_memory


def test_memory_stays_flat_while_a_run_gets_ten_times_longer() -> None:
    assert peak_memory(400) - peak_memory(40) < 200_000
