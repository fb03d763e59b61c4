"""File formats, one module per format; each opens a path as a stream of Arrow batches."""
