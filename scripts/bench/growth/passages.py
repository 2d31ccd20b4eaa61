"""Passages indexed and searched by bm25s (Lucene's BM25, k1 0.9, b 0.4) and by a plain product of numpy: passages.py bm25s|numpy FOLDER K."""
import json
import resource
import statistics
import sys
import time

task, folder, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
questions = open(f"{folder}/questions.txt").read().splitlines()


def timed(work):
    started = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - started[0], time.process_time() - started[1]


def by_words():
    import bm25s

    texts = open(f"{folder}/texts.txt").read().splitlines()
    split = dict(token_pattern=r"\w+", stopwords=None, lower=True, show_progress=False)

    def build():
        index = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
        index.index(bm25s.tokenize(texts, **split), show_progress=False)
        return index

    index, clock, processor = timed(build)

    def ask(place):
        # a word that is asked twice counts twice
        asked = bm25s.tokenize([questions[place]], return_ids=False, **split)
        rows, scores = index.retrieve(asked, k=k, show_progress=False, n_threads=1)
        return [[int(row), float(score)] for row, score in zip(rows[0], scores[0])]

    return f"bm25s {bm25s.__version__}", clock, processor, ask


def by_vectors():
    import numpy

    data = numpy.fromfile(f"{folder}/rows", dtype="float32").reshape(-1, int(sys.argv[4]))
    rows, asked = data[: len(data) - len(questions)], data[len(data) - len(questions) :]

    def ask(place):
        scores = rows @ asked[place]
        best = numpy.argpartition(-scores, k)[:k]
        best = best[numpy.argsort(-scores[best], kind="stable")]
        return [[int(row), float(scores[row])] for row in best]

    return f"numpy {numpy.__version__}, float32", 0, 0, ask


try:
    about, clock, processor, ask = by_words() if task == "bm25s" else by_vectors()
    answers = [timed(lambda place=place: ask(place)) for place in range(len(questions))]
    print(
        json.dumps(
            {
                "about": about,
                "clock": clock,
                "processor": processor,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
                "found": [found for found, _, _ in answers],
                "question": statistics.median(1000 * seconds for _, seconds, _ in answers),
                "questionProcessor": statistics.median(1000 * seconds for _, _, seconds in answers),
            }
        )
    )
except ImportError as error:
    print(json.dumps({"missing": str(error)}))
