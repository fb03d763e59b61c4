"""The figures of the workshop paper of 2019, and its toy problem."""
