"""Speed and memory against a named rival or limit, on the same arrays, in the same run.

Only ratios mean something on a machine that does other work too, so every benchmark takes turns with its rival. A
missed goal is printed as missed and fails nothing: time is not a test.
"""
