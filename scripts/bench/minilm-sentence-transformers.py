"""sentence-transformers on the same weights: its BERT is built from their shape, for the hub is not asked."""
import os
import tempfile

from comparator import serve, threads


os.environ["HF_HUB_OFFLINE"] = "1"


def embed(weights, tokenizer, layers, hidden, heads, epsilon, batch, texts):
    import sentence_transformers
    import torch
    from safetensors.torch import load_file
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    torch.set_num_threads(int(threads().split()[0]))
    tensors = {name: tensor.float() for name, tensor in load_file(weights).items()}
    vocabulary = len(tensors["embeddings.word_embeddings.weight"])
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=len(tensors["encoder.layer.0.intermediate.dense.bias"]),
        layer_norm_eps=epsilon,
    )
    model = BertModel(config)
    missing, unknown = model.load_state_dict(tensors, strict=False)
    wanted = [name for name in missing if "position_ids" not in name and "pooler" not in name]
    if wanted:
        raise ValueError(f"the weights lack {wanted}, and have {unknown}")
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        special = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "sep", "pad", "cls", "mask")}
        PreTrainedTokenizerFast(tokenizer_file=tokenizer, **special).save_pretrained(folder)
        transformer = modules.Transformer(folder, max_seq_length=256)
        pooling = modules.Pooling(hidden, pooling_mode="mean")
        whole = SentenceTransformer(modules=[transformer, pooling, modules.Normalize()], device="cpu")
    return {
        "about": f"sentence-transformers {sentence_transformers.__version__} on torch {torch.__version__}, float32, {threads()}",
        "work": lambda: whole.encode(texts, batch_size=batch, show_progress_bar=False),
        "result": lambda vectors: vectors[0].tolist(),
    }


serve(embed=embed)
