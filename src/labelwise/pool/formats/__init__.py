"""One file a format: each opens a path as a stream of Arrow batches."""
