import { onnxModel } from './onnx-model.ts'
import { operators, type Operators } from './operators.ts'
import type { TensorPlace } from './safetensors.ts'

/** The measures of a BERT encoder; `epsilon` is that of layer normalisation. */
export interface BertShape {
  readonly layers: number
  readonly hidden: number
  readonly heads: number
  readonly epsilon: number
}

/** Added to the attention scores of padding: their softmax is then exactly 0 in 32-bit floats. */
const farBelow = -10_000

/**
 * A BERT encoder (Devlin et al. 2019, as in Hugging Face's BertModel) with mean pooling (Reimers and Gurevych 2019) as an ONNX file.
 * Takes `input_ids` and `attention_mask` [batch, sequence]; gives `last_hidden_state` [batch, sequence, hidden] and the unit
 * vectors `sentence_embedding` [batch, hidden]. The weights stay in `weightsFile`, under the names of the PyTorch checkpoint.
 */
export function bertGraph(
  shape: BertShape,
  weights: ReadonlyMap<string, TensorPlace>,
  weightsFile: string,
): Uint8Array {
  const model = onnxModel(weights, weightsFile)
  const op = operators(model, shape.epsilon)
  const ids = model.input('input_ids', ['batch', 'sequence'])
  const mask = model.input('attention_mask', ['batch', 'sequence'])

  const attended = op.toFloat(op.unsqueeze(mask, [1, 2]))
  const bias = op.multiply(op.subtract(op.number(1), attended), op.number(farBelow))
  let x = embeddings(op, ids)
  for (let index = 0; index < shape.layers; index++) x = layer(op, shape, x, bias, `encoder.layer.${index}`)

  model.output('last_hidden_state', x, ['batch', 'sequence', shape.hidden])
  model.output('sentence_embedding', meanPooled(op, x, mask), ['batch', shape.hidden])
  return model.encode()
}

/** Words, places and the first type of segment, added up. */
function embeddings(op: Operators, ids: string): string {
  const words = op.lookUp('embeddings.word_embeddings.weight', ids)
  const places = op.firstRows('embeddings.position_embeddings.weight', op.axisOf(ids, 1))
  const type = op.firstRows('embeddings.token_type_embeddings.weight', op.integers([1]))
  return op.layerNorm(op.add(words, op.add(places, type)), 'embeddings.LayerNorm')
}

function layer(op: Operators, shape: BertShape, x: string, bias: string, name: string): string {
  const context = attention(op, shape, x, bias, `${name}.attention.self`)
  const between = op.layerNorm(
    op.add(op.linear(context, `${name}.attention.output.dense`), x),
    `${name}.attention.output.LayerNorm`,
  )
  const wide = op.gelu(op.linear(between, `${name}.intermediate.dense`))
  return op.layerNorm(op.add(op.linear(wide, `${name}.output.dense`), between), `${name}.output.LayerNorm`)
}

/** softmax(Q·Kᵀ/√d + bias)·V for every head. */
function attention(op: Operators, { hidden, heads }: BertShape, x: string, bias: string, name: string): string {
  const size = hidden / heads
  const perHead = (part: string, axes: readonly number[]) =>
    op.transpose(op.reshape(op.linear(x, `${name}.${part}`), [0, 0, heads, size]), axes)
  const scores = op.product(perHead('query', [0, 2, 1, 3]), perHead('key', [0, 2, 3, 1]))
  const weights = op.softmax(op.add(op.divide(scores, op.number(Math.sqrt(size))), bias))
  const mixed = op.product(weights, perHead('value', [0, 2, 1, 3]))
  return op.reshape(op.transpose(mixed, [0, 2, 1, 3]), [0, 0, hidden])
}

/** The mean over all tokens but padding, of length one. The sum will do: it points where the mean points. */
function meanPooled(op: Operators, x: string, mask: string): string {
  const sum = op.squeeze(op.product(op.toFloat(op.unsqueeze(mask, [1])), x), [1])
  return op.divide(sum, op.length(sum))
}
