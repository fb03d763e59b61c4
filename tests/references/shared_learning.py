"""Prints the numbers of docs/calibration.md and docs/confusion.md: curves, ECE and confusion with and without sharing.

Run as `python tests/references/shared_learning.py curve|ece|confusion [RUNS]` with LABELWISE_DATA set to the folder of
real prediction sets. Seeds are fixed. Curves: the truth of a pool is its own accuracy in 50 bins of equal mass, made
monotone and smoothed, and labels are drawn from it, so that the truth is known at every confidence.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.special import expit, logit

import labelwise as lw

DATA = Path(os.environ.get("LABELWISE_DATA", "../shared/data"))
SCORED = {
    "CIFAR-100 DenseNet": ("cifar100_densenetbc100", {"scores": "s*"}),
    "CIFAR-100 ResNet": ("cifar100_resnet110_authors_top1", {"predicted": "pred", "confidence": "conf"}),
    "20 Newsgroups": ("newsgroups20_cleanlab", {"scores": "s*"}),
    "MNIST": ("mnist_cleanlab", {"scores": "s*"}),
    "SVHN": ("svhn_resnet152_authors", {"scores": "s*"}),
    "DBpedia": ("dbpedia_bert_top1conf", {"predicted": "pred", "confidence": "conf"}),
    **{
        f"CIFAR-10 {model}": ("cifar10_7models_scores", {"scores": f"{model}_s*"})
        for model in ("resnet110", "lenet5", "vgg16", "cleanlab_cv")
    },
}
CONFUSED = ("CIFAR-100 DenseNet", "20 Newsgroups", "MNIST", "SVHN")


def read(name):
    file, how = SCORED[name]
    return lw.read_pool(DATA / f"{file}.parquet", label="label", **how)


def logits(confidence):
    return logit(np.clip(confidence, 1e-5, 1 - 1e-5))


def smooth_truth(pool, n_bins=50):
    """Return the true accuracy of a pool as a function of the confidence."""
    confidence = np.asarray(pool.confidence, float)
    parts = np.array_split(np.argsort(confidence, kind="stable"), n_bins)
    x = np.array([logits(confidence[part]).mean() for part in parts]) + 1e-9 * np.arange(n_bins)
    blocks = []  # pool adjacent violators
    for part in parts:
        blocks.append([(pool.hits[part].sum() + 0.5) / (len(part) + 1), 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [[(m * a + n * b) / (m + n), m + n]]
    y = logit(np.repeat([value for value, _ in blocks], [size for _, size in blocks]))
    y = np.convolve(np.concatenate([y[:1], y, y[-1:]]), [0.25, 0.5, 0.25], "valid")
    return lambda c: expit(np.interp(logits(c), x, y))


def binned(pool, items, at, rng, strength):
    """Ten bins of equal mass, each by itself."""
    groups = lw.by_score(pool, 10, equal="mass")
    belief = lw.accuracy.start(groups, lw.FlatPrior(strength)).update(items, pool.labels[items])
    middle = groups.mean_confidence
    place = np.searchsorted((middle[1:] + middle[:-1]) / 2, at)
    return [values[place] for values in (belief.mean(), *belief.interval())]


def mapped(pool, items, at, rng, bins=15, is_map_alone=False):
    """The learned prior's bins, their departures from the map drawn between their middles; or the map alone."""
    groups = lw.by_score(pool, bins, equal="mass")
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(items, pool.labels[items])
    maps = belief.maps
    node = rng.choice(len(maps.weight), 400, p=maps.weight)
    value = maps.place[node, :1] + maps.place[node, 1:] * logits(at)
    if not is_map_alone:
        off = logits(rng.beta(belief.a[node], belief.b[node])) - logits(maps.accuracy[node])
        x = logits(groups.mean_confidence) + 1e-9 * np.arange(bins)
        value = value + np.array([np.interp(logits(at), x, row) for row in off])
    draws = expit(value)
    return draws.mean(axis=0), *np.quantile(draws, [0.025, 0.975], axis=0)


def curved(pool, items, at, rng):
    start = lw.metrics.ECE(40, "mass").start(lw.everything(pool))
    frame = lw.metrics.calibration_curve(start.update(items, pool.labels[items]), at=at)
    return frame["accuracy"], frame["low"], frame["high"]


CURVES = {
    "bins, Beta(1, 1)": lambda *a: binned(*a, 2),
    "bins, Jeffreys": lambda *a: binned(*a, 1),
    "map alone": lambda *a: mapped(*a, is_map_alone=True),
    "map and 8 bins": lambda *a: mapped(*a, bins=8),
    "map and 15 bins": mapped,
    "curve": curved,
}


def curve(runs):
    for n in (50, 100, 200, 500):
        found = {name: [] for name in CURVES}
        for name in SCORED:
            pool = read(name)
            truth = smooth_truth(pool)
            confidence = np.asarray(pool.confidence, float)
            at = np.sort(confidence)[((np.arange(60) + 0.5) / 60 * len(confidence)).astype(int)]
            for run in range(runs):
                rng = np.random.default_rng([run, n])
                hit = rng.uniform(size=pool.n_items) < truth(confidence)
                labels = np.where(hit, pool.prediction, (pool.prediction + 1) % pool.n_classes).astype(np.int32)
                drawn, items = replace(pool, labels=labels), rng.permutation(pool.n_items)[:n]
                for way, of in CURVES.items():
                    mean, low, high = of(drawn, items, at, rng)
                    inside = ((low <= truth(at)) & (truth(at) <= high)).mean()
                    found[way].append((inside, np.sqrt(np.mean((mean - truth(at)) ** 2)), np.mean(high - low)))
        for way, rows in found.items():
            by_pool = np.array(rows).reshape(len(SCORED), runs, 3).mean(axis=1)
            inside, error, width = by_pool.mean(axis=0)
            least = by_pool[:, 0].min()
            print(f"{n:4} {way:18} inside {inside:.3f} (least {least:.2f}) error {error:.4f} width {width:.3f}")


def ece(runs):
    metric = lw.ece
    for n in (100, 200, 500):
        found = {prior: [] for prior in (lw.InformedPrior(), lw.LearnedPrior())}
        for name in SCORED:
            pool = read(name)
            true = lw.metrics.known_value(metric, pool)
            for run in range(runs):
                for prior, rows in found.items():
                    rng = np.random.default_rng([run, n, 7])
                    items = rng.permutation(pool.n_items)[:n]
                    belief = metric.start(lw.everything(pool), prior).update(items, pool.labels[items])
                    draws = metric.draw(belief, 1_000, target="pool", rng=rng)[:, 0]
                    low, high = np.quantile(draws, [0.025, 0.975])
                    rows.append((draws.mean() - true, low <= true <= high, high - low))
        for prior, rows in found.items():
            each = np.array(rows, float).reshape(len(SCORED), runs, 3)
            bias, error = np.abs(each[..., 0].mean(axis=1)).mean(), np.sqrt((each[..., 0] ** 2).mean(axis=1)).mean()
            inside = each[..., 1].mean(axis=1)
            print(
                f"{n:4} {type(prior).__name__:14} bias {bias:.4f} error {error:.4f} inside {inside.mean():.3f} "
                f"(least {inside.min():.2f}) width {each[..., 2].mean():.3f}"
            )


def rates(rows, groups):
    """Return recall and precision of each class and their means over classes, from rows of confusion in the pool."""
    joint = rows * groups.share[:, None]
    right, true = (joint * np.eye(len(groups.share))).sum(axis=-1), joint.sum(axis=-2)
    with np.errstate(invalid="ignore"):
        recall, precision = right / true, right / groups.share
    return recall, precision, np.nanmean(recall, axis=-1), np.nanmean(precision, axis=-1)


def confusion(runs):
    for name in CONFUSED:
        pool = read(name)
        groups = lw.by_prediction(pool)
        truth = lw.belief_from_labels(lw.recall, groups).mean(target="pool")
        known = rates(truth, groups)
        for per_row in (2, 5, 10):
            for prior in (lw.FlatPrior(), lw.InformedPrior(), lw.LearnedPrior()):
                found = []
                for run in range(runs):
                    rng = np.random.default_rng([run, per_row])
                    items = rng.permutation(pool.n_items)[: per_row * pool.n_classes]
                    belief = lw.recall.start(groups, prior).update(items, pool.labels[items])
                    gap = ((belief.mean() - truth) ** 2).sum(axis=1)
                    drawn = rates(belief.draw(250, target="pool", rng=rng), groups)
                    inside = []
                    for draws, true in zip(drawn, known, strict=True):
                        low, high = np.nanquantile(draws, [0.025, 0.975], axis=0)
                        inside.append(np.mean((low <= true + 1e-12) & (true - 1e-12 <= high)))
                    found.append((np.sqrt(groups.share @ gap), *inside))
                error, *inside = np.mean(found, axis=0)
                said = "recall {:.2f} precision {:.2f} mean recall {:.2f} mean precision {:.2f}".format(*inside)
                print(f"{name} {per_row:3} {type(prior).__name__:14} error {error:.4f} inside: {said}", flush=True)


if __name__ == "__main__":
    what, *more = sys.argv[1:]
    {"curve": curve, "ece": ece, "confusion": confusion}[what](int(more[0]) if more else 20)
