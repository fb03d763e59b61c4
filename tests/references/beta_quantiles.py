"""Writes beta_quantiles.csv: a thousand quantiles of Beta distributions to 40 digits, from a method of its own.

Run as `python tests/references/beta_quantiles.py` (a minute or two). The incomplete beta function is summed from its
continued fraction at 60 digits, and the quantile found by Newton's method from the starting point that scipy gives;
the answer does not depend on that start.
"""

import csv
from pathlib import Path

import mpmath as mp
import numpy as np
from scipy.special import betaincinv

mp.mp.dps = 60


def below(a: mp.mpf, b: mp.mpf, x: mp.mpf) -> mp.mpf:
    """The regularised incomplete beta function, by Lentz's evaluation of its continued fraction."""
    if x > (a + 1) / (a + b + 2):
        return 1 - below(b, a, 1 - x)
    front = mp.exp(a * mp.log(x) + b * mp.log1p(-x) - mp.log(a) - log_beta(a, b))
    c, d = mp.mpf(1), 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 200_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + even * d), 1 + even / c
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + odd * d), 1 + odd / c
        step = d * c
        value *= step
        if abs(step - 1) < mp.mpf(10) ** -50:
            return front * value
    raise ArithmeticError(f"no convergence for {a}, {b}, {x}")


def log_beta(a: mp.mpf, b: mp.mpf) -> mp.mpf:
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def quantile(a: float, b: float, q: float) -> mp.mpf:
    """Newton on the log-odds of x, which have no walls to run into."""
    a, b, q = mp.mpf(a), mp.mpf(b), mp.mpf(q)
    x = mp.mpf(float(betaincinv(float(a), float(b), float(q))))
    for _ in range(8):
        density = mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - log_beta(a, b))
        step = (below(a, b, x) - q) / (density * x * (1 - x))
        odds = mp.log(x) - mp.log1p(-x) - step
        x = 1 / (1 + mp.exp(-odds))
        if abs(step) < mp.mpf(10) ** -42:
            return x
    raise ArithmeticError(f"no convergence for {a}, {b}, {q}")


def main() -> None:
    rng = np.random.default_rng(40)
    with (Path(__file__).parent / "beta_quantiles.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["a", "b", "q", "x"])
        n = 0
        while n < 1000:
            a, b = np.exp(rng.uniform(np.log(0.2), np.log(1e6), 2))
            q = rng.choice([0.005, 0.025, 0.05, 0.5, 0.95, 0.975, 0.995, rng.uniform(0.001, 0.999)])
            if not 1e-250 < float(betaincinv(a, b, q)) < 1:
                continue  # nothing that a double could hold
            writer.writerow([repr(float(a)), repr(float(b)), repr(float(q)), mp.nstr(quantile(a, b, q), 40)])
            n += 1


if __name__ == "__main__":
    main()
