"""Exact search by inner product: usearch, and faiss's flat index."""
import numpy
from comparator import numbers, serve, threads


def matrices(rows, columns, queries):
    return numbers("rows", "float32", rows, columns), numbers("queries", "float32", queries, columns)


def task(about, search, queries, alone):
    """`search` gives the rows of several queries; `alone` asks for one after the other."""
    asked = [queries[at : at + 1] for at in range(len(queries))] if alone else [queries]
    return {
        "about": f"{about}, float32, {threads()}",
        "work": lambda: [search(some) for some in asked],
        "result": lambda found: numpy.concatenate([numpy.atleast_2d(some) for some in found]).tolist(),
    }


def usearch(k, alone, **shape):
    import usearch
    from usearch.index import MetricKind, search

    rows, queries = matrices(**shape)
    count = int(threads().split()[0])

    def keys(some):
        return search(rows, some[0] if alone else some, k, MetricKind.IP, exact=True, threads=count).keys

    return task(f"usearch {usearch.__version__} exact", keys, queries, alone)


def faiss(k, alone, **shape):
    import faiss

    rows, queries = matrices(**shape)
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    return task(f"faiss {faiss.__version__} IndexFlatIP", lambda some: index.search(some, k)[1], queries, alone)


serve(usearch=usearch, faiss=faiss)
