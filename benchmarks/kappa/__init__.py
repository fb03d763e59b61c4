"""How often intervals of kappa cover the truth: `python -m benchmarks.kappa`."""
