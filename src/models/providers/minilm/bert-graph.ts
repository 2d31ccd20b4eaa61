/** The measures of a BERT encoder; `epsilon` is that of layer normalisation. */
interface BertShape {
  readonly layers: number
  readonly hiddenSize: number
  readonly heads: number
  readonly epsilon: number
}

/** Added to the attention scores of padding: their softmax is exactly 0 in 32-bit floats. */
const farBelow = -10_000

/**
 * A BERT encoder (Devlin et al. 2019, as Hugging Face's BertModel) with mean pooling (Reimers and Gurevych 2019) as
 * ONNX: `input_ids` and `attention_mask` [batch, sequence] to `last_hidden_state` [batch, sequence, hidden] and unit
 * vectors `sentence_embedding` [batch, hidden]. The weights stay in a file under the names of the PyTorch checkpoint.
 */
export function bertGraph(
  { layers, hiddenSize, heads, epsilon }: BertShape,
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

  /** The sum of word, position and segment embeddings. */
  const embeddings = (ids: string): string => {
    const words = toFloat(node('Gather', [model.stored('embeddings.word_embeddings.weight'), ids]))
    const length = node('Gather', [node('Shape', [ids]), constant([1])])
    const places = firstRows('embeddings.position_embeddings.weight', length)
    const type = firstRows('embeddings.token_type_embeddings.weight', constant([1]))
    return layerNorm(add(words, add(places, type)), 'embeddings.LayerNorm')
  }
  /** softmax(Q·Kᵀ/√d + bias)·V per head. */
  const attention = (x: string, bias: string, name: string): string => {
    const size = hiddenSize / heads
    const perHead = (part: string, axes: readonly number[]) =>
      transpose(reshape(linear(x, `${name}.${part}`), [0, 0, heads, size]), axes)
    const scores = product(perHead('query', [0, 2, 1, 3]), perHead('key', [0, 2, 3, 1]))
    const shares = node('Softmax', [add(divide(scores, constant(Math.sqrt(size))), bias)], { axis: -1 })
    const mixture = product(shares, perHead('value', [0, 2, 1, 3]))
    return reshape(transpose(mixture, [0, 2, 1, 3]), [0, 0, hiddenSize])
  }
  const layer = (x: string, bias: string, name: string): string => {
    const context = attention(x, bias, `${name}.attention.self`)
    const attentionOutput = add(linear(context, `${name}.attention.output.dense`), x)
    const between = layerNorm(attentionOutput, `${name}.attention.output.LayerNorm`)
    const wide = gelu(linear(between, `${name}.intermediate.dense`))
    return layerNorm(add(linear(wide, `${name}.output.dense`), between), `${name}.output.LayerNorm`)
  }
  /** The unit vector of the mean over all tokens but padding; the sum has the same direction. */
  const meanPooling = (x: string, mask: string): string => {
    const sum = node('Squeeze', [product(toFloat(unsqueeze(mask, [1])), x), constant([1])])
    return divide(sum, node('ReduceL2', [sum], { axes: [-1] }))
  }

  const ids = model.input('input_ids', ['batch', 'sequence'])
  const mask = model.input('attention_mask', ['batch', 'sequence'])
  const isPadding = node('Sub', [constant(1), toFloat(unsqueeze(mask, [1, 2]))])
  const bias = multiply(isPadding, constant(farBelow))
  let x = embeddings(ids)
  for (let index = 0; index < layers; index++) x = layer(x, bias, `encoder.layer.${index}`)
  model.output('last_hidden_state', x, ['batch', 'sequence', hiddenSize])
  model.output('sentence_embedding', meanPooling(x, mask), ['batch', hiddenSize])
  return model.encode()
}

/** The place of a tensor in a file of weights: `bytes` bytes from `offset`. */
export interface TensorPlace {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly offset: number
  readonly bytes: number
}

/** Size of an axis, or the name of a dynamic one. */
type Axis = number | string

type Attributes = Readonly<Record<string, number | readonly number[]>>

/** The first operator set with LayerNormalization, and its version of the file format. */
const operatorSet = 17
const irVersion = 8

/** Types of tensors and of attributes (https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto). */
const tensorType = { float: 1, int64: 7, float16: 10 }
const attributeType = { integer: 2, float: 1, integers: 7 }
const external = 1

/** An empty ONNX model over a file of `weights` (external data); each call returns the name of what it adds. */
export function onnxModel(weights: ReadonlyMap<string, TensorPlace>) {
  const nodes: Uint8Array[] = []
  const inputs: Uint8Array[] = []
  const outputs: Uint8Array[] = []
  const initializers = new Map<string, Uint8Array>()
  const casts = new Map<string, string>()
  /** One operator of the standard set with one output. */
  const node = (operator: string, input: readonly string[], attributes: Attributes = {}): string => {
    const name = `${operator}_${nodes.length}`
    nodes.push(operatorNode(operator, input, name, attributes))
    return name
  }
  /** A tensor of the weights file, in its 16-bit floats. */
  const half = (name: string): string => {
    const place = weights.get(name)
    if (place?.dtype !== 'F16') throw new Error(`the weights have no 16-bit tensor ${name}`)
    initializers.set(name, externalTensor(name, place))
    return name
  }
  return {
    node,
    stored: half,
    /** A tensor of the weights file in 32-bit floats; the runtime widens it once at opening. */
    weight: (name: string): string => {
      const cast = casts.get(name) ?? node('Cast', [half(name)], { to: tensorType.float })
      casts.set(name, cast)
      return cast
    },
    /** A 32-bit float, or a list of 64-bit integers. */
    constant: (value: number | readonly number[]): string => {
      const name = JSON.stringify(value)
      initializers.set(name, constantTensor(name, value))
      return name
    },
    input: (name: string, axes: readonly Axis[]): string => {
      inputs.push(valueInfo(11, name, tensorType.int64, axes))
      return name
    },
    output: (name: string, value: string, axes: readonly Axis[]): string => {
      nodes.push(operatorNode('Identity', [value], name, {}))
      outputs.push(valueInfo(12, name, tensorType.float, axes))
      return name
    },
    encode: (): Uint8Array =>
      Buffer.concat([
        integerField(1, irVersion),
        messageField(7, [...nodes, textField(2, 'gembench'), ...initializers.values(), ...inputs, ...outputs]),
        messageField(8, [integerField(2, operatorSet)]),
      ]),
  }
}

// field numbers are those of onnx.proto: NodeProto, AttributeProto, TensorProto, ValueInfoProto

const operatorNode = (operator: string, inputs: readonly string[], output: string, attributes: Attributes) =>
  messageField(1, [
    ...inputs.map((input) => textField(1, input)),
    textField(2, output),
    textField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  ])

function attribute(name: string, value: number | readonly number[]): Uint8Array {
  const of = (type: number, values: readonly Uint8Array[]) =>
    messageField(5, [textField(1, name), ...values, integerField(20, type)])
  if (typeof value !== 'number')
    return of(
      attributeType.integers,
      value.map((item) => integerField(8, item)),
    )
  return Number.isInteger(value)
    ? of(attributeType.integer, [integerField(3, value)])
    : of(attributeType.float, [floatField(2, value)])
}

function constantTensor(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value === 'number') return tensor(name, tensorType.float, [], [floatField(4, value)])
  const content = value.map((item) => integerField(7, item))
  return tensor(name, tensorType.int64, [value.length], content)
}

function externalTensor(name: string, { shape, offset, bytes }: TensorPlace): Uint8Array {
  const place = { location: 'weights', offset: String(offset), length: String(bytes) }
  const entries = Object.entries(place).map(([key, value]) =>
    messageField(13, [textField(1, key), textField(2, value)]),
  )
  return tensor(name, tensorType.float16, shape, [...entries, integerField(14, external)])
}

const tensor = (name: string, type: number, shape: readonly number[], content: readonly Uint8Array[]): Uint8Array =>
  messageField(5, [
    ...shape.map((size) => integerField(1, size)),
    integerField(2, type),
    textField(8, name),
    ...content,
  ])

function valueInfo(field: number, name: string, type: number, axes: readonly Axis[]): Uint8Array {
  const dimensions = axes.map((axis) =>
    messageField(1, [typeof axis === 'string' ? textField(2, axis) : integerField(1, axis)]),
  )
  const tensorOf = messageField(1, [integerField(1, type), messageField(2, dimensions)])
  return messageField(field, [textField(1, name), messageField(2, [tensorOf])])
}

// Protocol Buffers encoding (https://protobuf.dev/programming-guides/encoding)

/** An integer or enumeration value; negative ones take ten bytes, as int64 requires. */
const integerField = (field: number, value: number): Uint8Array =>
  Buffer.concat([tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))])

function floatField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([tag(field, 5), bytes])
}

const textField = (field: number, value: string): Uint8Array => lengthDelimitedField(field, Buffer.from(value))

/** A nested message; a list repeats the field. */
const messageField = (field: number, fields: readonly Uint8Array[]): Uint8Array =>
  lengthDelimitedField(field, Buffer.concat(fields))

const lengthDelimitedField = (field: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([tag(field, 2), varint(BigInt(bytes.length)), bytes])

const tag = (field: number, type: number): Uint8Array => varint(BigInt(field * 8 + type))

/** Seven bits per byte, lowest first; the eighth bit is set if more follow. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (; value >= 128n; value >>= 7n) bytes.push(Number(value & 127n) | 128)
  return Uint8Array.from([...bytes, Number(value)])
}
