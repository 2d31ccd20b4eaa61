import { onnxModel, type TensorPlace } from '../../onnx/model-file.ts'

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
 * A BERT encoder (Devlin et al. 2019, as in Hugging Face's BertModel) with mean pooling (Reimers and Gurevych 2019) as
 * an ONNX file. Takes `input_ids` and `attention_mask` [batch, sequence]; gives `last_hidden_state` [batch, sequence,
 * hidden] and the unit vectors `sentence_embedding` [batch, hidden]. The weights stay in the file `weights`, under the
 * names of the PyTorch checkpoint.
 */
export function bertGraph(
  { layers, hidden, heads, epsilon }: BertShape,
  weights: ReadonlyMap<string, TensorPlace>,
): Uint8Array {
  const model = onnxModel(weights)
  const { node, constant, weight } = model
  const add = (a: string, b: string) => node('Add', [a, b])
  const divide = (a: string, b: string) => node('Div', [a, b])
  const multiply = (a: string, b: string) => node('Mul', [a, b])
  const product = (a: string, b: string) => node('MatMul', [a, b])
  const toFloat = (x: string) => node('Cast', [x], { to: 1 })
  const unsqueeze = (x: string, axes: readonly number[]) => node('Unsqueeze', [x, constant(axes)])
  const reshape = (x: string, axes: readonly number[]) => node('Reshape', [x, constant(axes)])
  const transpose = (x: string, perm: readonly number[]) => node('Transpose', [x], { perm })
  const firstRows = (table: string, count: string) => node('Slice', [weight(table), constant([0]), count])
  /** x·Wᵀ + b */
  const linear = (x: string, name: string) =>
    add(product(x, transpose(weight(`${name}.weight`), [1, 0])), weight(`${name}.bias`))
  const layerNorm = (x: string, name: string) =>
    node('LayerNormalization', [x, weight(`${name}.weight`), weight(`${name}.bias`)], { axis: -1, epsilon })
  /** x·(1 + erf(x/√2))·½ (Hendrycks and Gimpel 2016) */
  const gelu = (x: string) => {
    const erf = node('Erf', [divide(x, constant(Math.SQRT2))])
    return multiply(multiply(x, add(erf, constant(1))), constant(0.5))
  }

  /** Words, places and the first type of segment, added up. */
  const embeddings = (ids: string): string => {
    const words = toFloat(node('Gather', [model.stored('embeddings.word_embeddings.weight'), ids]))
    const length = node('Gather', [node('Shape', [ids]), constant([1])])
    const places = firstRows('embeddings.position_embeddings.weight', length)
    const type = firstRows('embeddings.token_type_embeddings.weight', constant([1]))
    return layerNorm(add(words, add(places, type)), 'embeddings.LayerNorm')
  }
  /** softmax(Q·Kᵀ/√d + bias)·V for every head. */
  const attention = (x: string, bias: string, name: string): string => {
    const size = hidden / heads
    const perHead = (part: string, axes: readonly number[]) =>
      transpose(reshape(linear(x, `${name}.${part}`), [0, 0, heads, size]), axes)
    const scores = product(perHead('query', [0, 2, 1, 3]), perHead('key', [0, 2, 3, 1]))
    const shares = node('Softmax', [add(divide(scores, constant(Math.sqrt(size))), bias)], { axis: -1 })
    const mixed = product(shares, perHead('value', [0, 2, 1, 3]))
    return reshape(transpose(mixed, [0, 2, 1, 3]), [0, 0, hidden])
  }
  const layer = (x: string, bias: string, name: string): string => {
    const context = attention(x, bias, `${name}.attention.self`)
    const attended = add(linear(context, `${name}.attention.output.dense`), x)
    const between = layerNorm(attended, `${name}.attention.output.LayerNorm`)
    const wide = gelu(linear(between, `${name}.intermediate.dense`))
    return layerNorm(add(linear(wide, `${name}.output.dense`), between), `${name}.output.LayerNorm`)
  }
  /** The mean over all tokens but padding, of length one. The sum will do: it points where the mean points. */
  const meanPooled = (x: string, mask: string): string => {
    const sum = node('Squeeze', [product(toFloat(unsqueeze(mask, [1])), x), constant([1])])
    return divide(sum, node('ReduceL2', [sum], { axes: [-1] }))
  }

  const ids = model.input('input_ids', ['batch', 'sequence'])
  const mask = model.input('attention_mask', ['batch', 'sequence'])
  const isPadding = node('Sub', [constant(1), toFloat(unsqueeze(mask, [1, 2]))])
  const bias = multiply(isPadding, constant(farBelow))
  let x = embeddings(ids)
  for (let index = 0; index < layers; index++) x = layer(x, bias, `encoder.layer.${index}`)
  model.output('last_hidden_state', x, ['batch', 'sequence', hidden])
  model.output('sentence_embedding', meanPooled(x, mask), ['batch', hidden])
  return model.encode()
}
