import type { OnnxModel } from './onnx-model.ts'

export type Operators = ReturnType<typeof operators>

/** What a transformer is made of, as ONNX operators: each adds to the model and gives the name of its result. */
export function operators({ node, constant, stored, weight }: OnnxModel, epsilon: number) {
  const add = (a: string, b: string) => node('Add', [a, b])
  const subtract = (a: string, b: string) => node('Sub', [a, b])
  const multiply = (a: string, b: string) => node('Mul', [a, b])
  const divide = (a: string, b: string) => node('Div', [a, b])
  const product = (a: string, b: string) => node('MatMul', [a, b])
  const transpose = (x: string, perm: readonly number[]) => node('Transpose', [x], { perm })
  const toFloat = (x: string) => node('Cast', [x], { to: 1 })
  const integers = (values: readonly number[]) => constant(values)

  return {
    add,
    subtract,
    multiply,
    divide,
    /** Of matrices. */
    product,
    transpose,
    toFloat,
    integers,
    number: (value: number) => constant(value),
    reshape: (x: string, axes: readonly number[]) => node('Reshape', [x, integers(axes)]),
    squeeze: (x: string, axes: readonly number[]) => node('Squeeze', [x, integers(axes)]),
    unsqueeze: (x: string, axes: readonly number[]) => node('Unsqueeze', [x, integers(axes)]),
    softmax: (x: string) => node('Softmax', [x], { axis: -1 }),
    /** Euclidean, of the last axis. */
    length: (x: string) => node('ReduceL2', [x], { axes: [-1] }),
    /** How many entries that axis has, as a list of one. */
    axisOf: (x: string, axis: number) => node('Gather', [node('Shape', [x]), integers([axis])]),
    /** Rows of a table, widened after they are looked up. */
    lookUp: (table: string, ids: string) => toFloat(node('Gather', [stored(table), ids])),
    firstRows: (table: string, count: string) => node('Slice', [weight(table), integers([0]), count]),
    /** x·Wᵀ + b */
    linear: (x: string, name: string) =>
      add(product(x, transpose(weight(`${name}.weight`), [1, 0])), weight(`${name}.bias`)),
    layerNorm: (x: string, name: string) =>
      node('LayerNormalization', [x, weight(`${name}.weight`), weight(`${name}.bias`)], { axis: -1, epsilon }),
    /** x·(1 + erf(x/√2))·½ (Hendrycks and Gimpel 2016) */
    gelu: (x: string) => {
      const erf = node('Erf', [divide(x, constant(Math.SQRT2))])
      return multiply(multiply(x, add(erf, constant(1))), constant(0.5))
    },
  }
}
