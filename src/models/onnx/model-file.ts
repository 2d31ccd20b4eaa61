/** Where one tensor lies in a file of weights: its numbers start at byte `offset` and take `bytes`. */
export interface TensorPlace {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly offset: number
  readonly bytes: number
}

/** Size of an axis, or the name of one that is known only when the model runs. */
type Axis = number | string

type Attributes = Readonly<Record<string, number | readonly number[]>>

/** An ONNX model under construction; every function gives the name of the value that it adds. */
export interface OnnxModel {
  readonly input: (name: string, axes: readonly Axis[]) => string
  readonly output: (name: string, value: string, axes: readonly Axis[]) => string
  /** One operator of the standard set with one output. */
  readonly node: (operator: string, inputs: readonly string[], attributes?: Attributes) => string
  /** A 32-bit float, or a list of 64-bit integers. */
  readonly constant: (value: number | readonly number[]) => string
  /** A tensor of the weights file in 16-bit floats, as it is stored there. */
  readonly stored: (name: string) => string
  /** A tensor of the weights file in 32-bit floats; the runtime widens it once, when the model is opened. */
  readonly weight: (name: string) => string
  readonly encode: () => Uint8Array
}

/** The operator set that first had LayerNormalization, and the version of the file format that goes with it. */
const operatorSet = 17
const irVersion = 8

/** Numbers of onnx.proto (https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto): types of tensors, and types of attributes. */
const tensorType = { float: 1, int64: 7, float16: 10 }
const attributeType = { integer: 2, float: 1, integers: 7 }
const external = 1

/** An empty ONNX model whose weights stay where they are: it only points into the file named `weights` (ONNX external data). */
export function onnxModel(weights: ReadonlyMap<string, TensorPlace>): OnnxModel {
  const nodes: Uint8Array[] = []
  const inputs: Uint8Array[] = []
  const outputs: Uint8Array[] = []
  const initializers = new Map<string, Uint8Array>()
  const converted = new Map<string, string>()
  const node: OnnxModel['node'] = (operator, input, attributes = {}) => {
    const name = `${operator}_${nodes.length}`
    nodes.push(operatorNode(operator, input, name, attributes))
    return name
  }
  const stored: OnnxModel['stored'] = (name) => {
    const place = weights.get(name)
    if (place?.dtype !== 'F16') throw new Error(`the weights have no 16-bit tensor ${name}`)
    initializers.set(name, externalTensor(name, place))
    return name
  }
  return {
    node,
    stored,
    weight: (name) => {
      const known = converted.get(name) ?? node('Cast', [stored(name)], { to: tensorType.float })
      converted.set(name, known)
      return known
    },
    constant: (value) => {
      const name = JSON.stringify(value)
      initializers.set(name, constantTensor(name, value))
      return name
    },
    input: (name, axes) => {
      inputs.push(valueInfo(11, name, tensorType.int64, axes))
      return name
    },
    output: (name, value, axes) => {
      nodes.push(operatorNode('Identity', [value], name, {}))
      outputs.push(valueInfo(12, name, tensorType.float, axes))
      return name
    },
    encode: () =>
      Buffer.concat([
        integerField(1, irVersion),
        messageField(7, [...nodes, textField(2, 'gembench'), ...initializers.values(), ...inputs, ...outputs]),
        messageField(8, [integerField(2, operatorSet)]),
      ]),
  }
}

// below, each message has the field numbers of onnx.proto: NodeProto, AttributeProto, TensorProto, ValueInfoProto

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

// fields of a Protocol Buffers message in their binary form (https://protobuf.dev/programming-guides/encoding)

/** A whole number, an enumeration's value too; negative ones take ten bytes, as int64 asks. */
const integerField = (field: number, value: number): Uint8Array =>
  Buffer.concat([tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))])

/** A 32-bit float. */
function floatField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([tag(field, 5), bytes])
}

/** A string. */
const textField = (field: number, value: string): Uint8Array => delimited(field, Buffer.from(value))

/** A message inside the message: its fields one after the other; a list is the same field several times. */
const messageField = (field: number, fields: readonly Uint8Array[]): Uint8Array =>
  delimited(field, Buffer.concat(fields))

const delimited = (field: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([tag(field, 2), varint(BigInt(bytes.length)), bytes])

const tag = (field: number, type: number): Uint8Array => varint(BigInt(field * 8 + type))

/** Seven bits a byte, the lowest first; the eighth bit says that more follow. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (; value >= 128n; value >>= 7n) bytes.push(Number(value & 127n) | 128)
  return Uint8Array.from([...bytes, Number(value)])
}
