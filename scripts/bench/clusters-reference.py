"""scikit-learn's mixtures and k-means, and umap-learn's UMAP."""
import warnings

import numpy
from comparator import numbers, serve, threads

warnings.filterwarnings("ignore")


def sweep(covariance):
    import sklearn
    from sklearn.mixture import GaussianMixture

    points = numbers("points", "float32", 300, 10)

    def bic(k):
        return GaussianMixture(k, covariance_type=covariance, random_state=224).fit(points).bic(points)

    return {
        "about": f"scikit-learn {sklearn.__version__} GaussianMixture, float32, {threads()}",
        "work": lambda: [bic(k) for k in range(1, 50)],
        "result": lambda bics: int(numpy.argmin(bics)) + 1,
    }


def kmeans(rows, columns, clusters):
    import sklearn
    from sklearn.cluster import KMeans

    points = numbers("points", "float32", rows, columns)
    return {
        "about": f"scikit-learn {sklearn.__version__} KMeans, float32, {threads()}",
        "work": lambda: KMeans(clusters, n_init=1, random_state=0).fit(points),
        "result": lambda model: {"inertia": float(model.inertia_), "iterations": int(model.n_iter_)},
    }


def umap(rows, columns):
    import umap
    from umap import UMAP

    points = numbers("points", "float32", rows, columns)

    def fit(seed):
        return UMAP(n_neighbors=15, n_components=10, metric="cosine", random_state=seed).fit_transform(points)

    return {
        "about": f"umap-learn {umap.__version__}, float32, compiled, 1 thread because of its seed",
        "work": fit,
        "result": lambda layout: layout.astype(float).ravel().tolist(),
    }


serve(sweep=sweep, kmeans=kmeans, umap=umap)
