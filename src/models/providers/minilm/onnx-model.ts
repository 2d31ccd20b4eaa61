import protobuf, { type onnx as Onnx } from 'onnx-proto'
import type { TensorPlace } from './safetensors.ts'

const { onnx } = protobuf
const { FLOAT, FLOAT16, INT64 } = onnx.TensorProto.DataType
const { INT, INTS, FLOAT: FLOAT_ATTRIBUTE } = onnx.AttributeProto.AttributeType

/** Size of an axis, or the name of one that is known only when the model runs. */
type Axis = number | string

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

type Attributes = Readonly<Record<string, number | readonly number[]>>

/** The operator set that first had LayerNormalization. */
const operatorSet = 17
/** The version of the file format that goes with it. */
const irVersion = 8

/** An empty ONNX model whose weights stay where they are: it only points into the file named `weightsFile` (ONNX external data). */
export function onnxModel(weights: ReadonlyMap<string, TensorPlace>, weightsFile: string): OnnxModel {
  const nodes: Onnx.INodeProto[] = []
  const inputs: Onnx.IValueInfoProto[] = []
  const outputs: Onnx.IValueInfoProto[] = []
  const initializers = new Map<string, Onnx.ITensorProto>()
  const converted = new Map<string, string>()

  const node: OnnxModel['node'] = (operator, input, attributes = {}) => {
    const name = `${operator}_${nodes.length}`
    const attribute = Object.entries(attributes).map(([key, value]) => attributeOf(key, value))
    nodes.push({ opType: operator, input: [...input], output: [name], attribute })
    return name
  }
  const stored: OnnxModel['stored'] = (name) => {
    const place = weights.get(name)
    if (place?.dtype !== 'F16') throw new Error(`the weights have no 16-bit tensor ${name}`)
    initializers.set(name, externalTensor(name, place, weightsFile))
    return name
  }

  return {
    node,
    stored,
    weight: (name) => {
      const known = converted.get(name) ?? node('Cast', [stored(name)], { to: FLOAT })
      converted.set(name, known)
      return known
    },
    constant: (value) => {
      const name = JSON.stringify(value)
      initializers.set(name, typeof value === 'number' ? floatTensor(name, value) : integerTensor(name, value))
      return name
    },
    input: (name, axes) => {
      inputs.push(valueInfo(name, INT64, axes))
      return name
    },
    output: (name, value, axes) => {
      nodes.push({ opType: 'Identity', input: [value], output: [name] })
      outputs.push(valueInfo(name, FLOAT, axes))
      return name
    },
    encode: () => {
      const initializer = [...initializers.values()]
      const graph = { name: 'gembench', node: nodes, initializer, input: inputs, output: outputs }
      return onnx.ModelProto.encode({ irVersion, opsetImport: [{ version: operatorSet }], graph }).finish()
    },
  }
}

const floatTensor = (name: string, value: number) => ({ name, dataType: FLOAT, floatData: [value] })

const integerTensor = (name: string, values: readonly number[]) => ({
  name,
  dataType: INT64,
  dims: [values.length],
  int64Data: [...values],
})

function valueInfo(name: string, elemType: number, axes: readonly Axis[]): Onnx.IValueInfoProto {
  const dim = axes.map((axis) => (typeof axis === 'string' ? { dimParam: axis } : { dimValue: axis }))
  return { name, type: { tensorType: { elemType, shape: { dim } } } }
}

function attributeOf(name: string, value: number | readonly number[]): Onnx.IAttributeProto {
  if (typeof value !== 'number') return { name, type: INTS, ints: [...value] }
  return Number.isInteger(value) ? { name, type: INT, i: value } : { name, type: FLOAT_ATTRIBUTE, f: value }
}

function externalTensor(name: string, { shape, offset, bytes }: TensorPlace, file: string): Onnx.ITensorProto {
  const place = { location: file, offset: String(offset), length: String(bytes) }
  return {
    name,
    dims: [...shape],
    dataType: FLOAT16,
    dataLocation: onnx.TensorProto.DataLocation.EXTERNAL,
    externalData: Object.entries(place).map(([key, value]) => ({ key, value })),
  }
}
