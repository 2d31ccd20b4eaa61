"""What scikit-learn and umap-learn take for the matrices in a folder: JSON on standard output. See mixture.ts."""

import json
import sys
import time
import warnings

import numpy

warnings.filterwarnings("ignore")
folder = sys.argv[1]


def read(name, rows, columns):
    return numpy.fromfile(f"{folder}/{name}", dtype=numpy.float32).reshape(rows, columns)


def best(times, work):
    least = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - started)
    return least, result


def sweep(covariance):
    from sklearn.mixture import GaussianMixture

    points = read("sweep", 300, 10)

    def fit(k):
        return GaussianMixture(k, covariance_type=covariance, random_state=224).fit(points).bic(points)

    seconds, bics = best(5, lambda: [fit(k) for k in range(1, 50)])
    return {"seconds": seconds, "components": int(numpy.argmin(bics)) + 1}


def diag():
    return sweep("diag")


def full():
    return sweep("full")


def kmeans():
    from sklearn.cluster import KMeans

    points = read("kmeans", 5000, 384)
    seconds, model = best(5, lambda: KMeans(20, n_init=1, random_state=0).fit(points))
    return {"seconds": seconds, "inertia": float(model.inertia_), "iterations": int(model.n_iter_)}


def umap():
    from umap import UMAP

    points = read("umap", 1000, 384)

    def fit(seed=42):
        return UMAP(n_neighbors=15, n_components=10, metric="cosine", random_state=seed).fit_transform(points)

    fit()  # compiles
    seconds, _ = best(3, fit)
    for seed in range(5):
        fit(seed).astype(numpy.float32).tofile(f"{folder}/layout{seed}")
    return {"seconds": seconds}


def measured(work):
    try:
        return work()
    except ImportError as error:
        return {"missing": str(error)}


print(json.dumps({work.__name__: measured(work) for work in (diag, full, kmeans, umap)}))
