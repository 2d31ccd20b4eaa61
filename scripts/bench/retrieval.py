"""Chunks searched by bm25s (Lucene's BM25, k1 0.9, b 0.4, words as given), by a plain product of numpy, and by both together."""
import json
import sys

folder, depth = sys.argv[1], int(sys.argv[2])
try:
    import bm25s
    import numpy
except ImportError as error:
    print(json.dumps({"missing": str(error)}))
    sys.exit()


def best(scores):
    """The highest scores, equal ones by the order of the chunks."""
    order = numpy.argsort(-scores, kind="stable")[:depth]
    return [[int(row), float(scores[row])] for row in order]


def together(rankings):
    """Reciprocal ranks, k 60 (Cormack, Clarke and Büttcher 2009)."""
    sums = {}
    for ranking in rankings:
        for rank, (row, _) in enumerate(ranking):
            sums[row] = sums.get(row, 0) + 1 / (60 + rank + 1)
    return [[row, score] for row, score in sorted(sums.items(), key=lambda one: -one[1])][:depth]


def searched(words, asked, vectors):
    index = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
    index.index(words, show_progress=False)
    rows, queries = vectors[: len(words)], vectors[len(words) :]
    for question, query in zip(asked, queries):
        known = [word for word in question if word in index.vocab_dict]
        scores = index.get_scores(known) if known else numpy.zeros(len(words))
        by_words = [found for found in best(scores) if found[1] > 0]
        by_vectors = best(rows.astype("float64") @ query.astype("float64"))
        yield {"bm25": by_words, "vector": by_vectors, "hybrid": together([by_words, by_vectors])}


vectors = numpy.fromfile(f"{folder}/vectors", dtype="float32")
found = []
for corpus in json.load(open(f"{folder}/corpora.json")):
    count = len(corpus["words"]) + len(corpus["asked"])
    own, vectors = numpy.split(vectors, [count * corpus["columns"]])
    found.append(list(searched(corpus["words"], corpus["asked"], own.reshape(count, -1))))
print(json.dumps({"about": f"bm25s {bm25s.__version__}, numpy {numpy.__version__}", "found": found}))
