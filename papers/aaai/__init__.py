"""The AAAI paper's tables and figure, and the preprint's table."""
