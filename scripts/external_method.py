"""A method for gembench in Python, with its standard library alone: ranks chunks by the words and the meaning that they share with the question.

    methods: [{ use: command, run: [python3, external_method.py] }]

A request is a line of JSON on the standard input, its reply one on the standard output: configs/PLUG-INS.md. What else is to be
said belongs on the error stream (print(…, file=sys.stderr)).
"""

import json
import math
import os
import re
import sys
import urllib.request
from collections import Counter


def embed(texts):
    """One vector for each text, by the embedder of the run: metered, cached and limited by gembench."""
    body = json.dumps({"model": os.environ["GEMBENCH_EMBED_MODEL"], "input": texts}).encode()
    headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/embeddings", body, headers)
    with urllib.request.urlopen(request) as response:
        return [one["embedding"] for one in json.load(response)["data"]]


def words(text):
    return Counter(re.findall(r"\w+", text.lower()))


class Index:
    def __init__(self, chunks, options):
        self.chunks, self.bags = chunks, [words(chunk["text"]) for chunk in chunks]
        self.found_in = Counter(word for bag in self.bags for word in bag)
        self.weight = options.get("weight", 0.1)
        self.vectors = embed([chunk["text"] for chunk in chunks]) if chunks else []

    def retrieve(self, question, passages):
        asked = words(question)
        (vector,) = embed([question]) if self.chunks else [[]]
        scores = []
        for bag, other in zip(self.bags, self.vectors):
            shared = sum(math.log(1 + len(self.bags) / self.found_in[word]) for word in asked if word in bag)
            scores.append(self.weight * shared + sum(a * b for a, b in zip(vector, other)))
        best = sorted(range(len(scores)), key=lambda row: -scores[row])[:passages]
        return [{"chunk": self.chunks[row]["id"], "score": scores[row]} for row in best]


index = None
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"]}
    if "index" in request:
        index = Index(request["index"]["chunks"], request["index"]["options"])
    elif "retrieve" in request:
        asked = request["retrieve"]
        reply["passages"] = index.retrieve(asked["question"]["text"], asked["budget"]["passages"])
    print(json.dumps(reply), flush=True)
