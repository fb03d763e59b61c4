"""Compiled simulation of whole assessments: arrays in, arrays out, one seed a run; the only folder that needs numba.

Nothing is imported here, so that a kernel is compiled or loaded only where it is used.
"""
