"""Exact search by inner product: usearch, and faiss's flat index."""
import numpy
from comparator import numbers, serve, threads


def matrices(rows, columns, queries):
    return numbers("rows", "float32", rows, columns), numbers("queries", "float32", queries, columns)


def usearch(k, **shape):
    import usearch
    from usearch.index import MetricKind, search

    rows, queries = matrices(**shape)
    asked = queries[0] if len(queries) == 1 else queries
    return {
        "about": f"usearch {usearch.__version__} exact, float32, {threads()}",
        "work": lambda: search(rows, asked, k, MetricKind.IP, exact=True, threads=int(threads().split()[0])),
        "result": lambda found: numpy.asarray(found.keys).reshape(len(queries), k).tolist(),
    }


def faiss(k, **shape):
    import faiss

    rows, queries = matrices(**shape)
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    return {
        "about": f"faiss {faiss.__version__} IndexFlatIP, float32, {threads()}",
        "work": lambda: index.search(queries, k),
        "result": lambda found: found[1].tolist(),
    }


serve(usearch=usearch, faiss=faiss)
