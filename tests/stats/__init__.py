"""Tests of the statistics: right values, simulations with known truth, slow twins."""
