"""The figures of the AAAI paper's supplement."""
