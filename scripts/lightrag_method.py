"""LightRAG (lightrag-hku on PyPI) as a method for gembench: python3 -m pip install lightrag-hku openai

    methods: [{ use: command, label: lightrag, run: [python3, lightrag_method.py], options: { mode: mix } }]

LightRAG cuts where gembench did, extracts its graph with the run's language model, and finds chunks in one of its modes (naive, local,
global, hybrid, mix); these are handed back under the ids of gembench. Its files lie in a temporary folder.
"""

import asyncio
import json
import logging
import os
import sys
import tempfile

os.environ["TIKTOKEN_CACHE_DIR"] = os.environ.get("TIKTOKEN_CACHE_DIR", tempfile.gettempdir())
protocol, sys.stdout = sys.stdout, sys.stderr  # what LightRAG prints is no reply

import numpy  # noqa: E402
from lightrag import LightRAG, QueryParam  # noqa: E402
from lightrag.llm.openai import openai_complete_if_cache  # noqa: E402
from lightrag.utils import EmbeddingFunc, Tokenizer  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402

cut = "\n<chunk>\n"
key, embedder = os.environ["OPENAI_API_KEY"], os.environ["GEMBENCH_EMBED_MODEL"]
base_url = os.environ["OPENAI_BASE_URL"]
client = AsyncOpenAI(max_retries=0)


class Words:
    """Characters in place of tokens: LightRAG's own tokenizer is downloaded at its first use."""

    def encode(self, text):
        return [ord(character) for character in text]

    def decode(self, tokens):
        return "".join(map(chr, tokens))


async def complete(prompt, system_prompt=None, history_messages=None, **more):
    wanted = {name: more[name] for name in ("response_format", "max_tokens") if more.get(name)}
    model = os.environ["GEMBENCH_CHAT_MODEL"]
    given = {"system_prompt": system_prompt, "history_messages": history_messages or []}
    return await openai_complete_if_cache(model, prompt, base_url=base_url, api_key=key, **given, **wanted)


async def embed(texts, **_):
    reply = await client.embeddings.create(model=embedder, input=list(texts))
    return numpy.array([one.embedding for one in reply.data], dtype=numpy.float32)


async def build(chunks, options, folder):
    dimension = len((await embed(["length"]))[0])
    rag = LightRAG(
        working_dir=folder,
        llm_model_func=complete,
        embedding_func=EmbeddingFunc(embedding_dim=dimension, max_token_size=8192, func=embed),
        tokenizer=Tokenizer("characters", Words()),
        chunk_token_size=1_000_000,
        enable_llm_cache=False,
        **options,
    )
    await rag.initialize_storages()
    documents = {}
    for chunk in chunks:
        documents.setdefault(chunk["documentId"], []).append(chunk["text"])
    if documents:
        texts = [cut.join(parts) for parts in documents.values()]
        await rag.ainsert(texts, cut, True, ids=list(documents), file_paths=list(documents))
    return rag


async def main():
    folder = tempfile.TemporaryDirectory()
    rag, ids, mode = None, {}, "mix"
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        reply = {"id": request["id"]}
        if "index" in request:
            options = dict(request["index"]["options"])
            mode = options.pop("mode", mode)
            ids = {chunk["text"].strip(): chunk["id"] for chunk in request["index"]["chunks"]}
            rag = await build(request["index"]["chunks"], options, folder.name)
        elif "retrieve" in request:
            asked = request["retrieve"]
            param = QueryParam(mode=mode, chunk_top_k=asked["budget"]["passages"], enable_rerank=False)
            param.max_total_tokens = 10_000_000
            found = (await rag.aquery_data(asked["question"]["text"], param)).get("data", {}).get("chunks", [])
            reply["passages"] = [{"chunk": ids[one["content"].strip()]} for one in found if one["content"].strip() in ids]
        print(json.dumps(reply), file=protocol, flush=True)


logging.getLogger("lightrag").setLevel(logging.WARNING)
asyncio.run(main())
