import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, test } from 'vitest'
import { onnxModel } from './onnx-model.ts'
import { operators, type Operators } from './operators.ts'

/** 1 to 6 as 16-bit floats, after four bytes of something else. */
const data = Uint8Array.from([9, 9, 9, 9, 0x00, 0x3c, 0x00, 0x40, 0x00, 0x42, 0x00, 0x44, 0x00, 0x45, 0x00, 0x46])
const place = (shape: number[], offset: number) => ({
  dtype: 'F16',
  shape,
  offset,
  bytes: shape.reduce((a, b) => a * b, 2),
})
const places = new Map([
  ['table', place([3, 2], 4)],
  ['dense.weight', place([2, 2], 4)],
  ['dense.bias', place([2], 12)],
  ['wide', { ...place([1], 4), dtype: 'F32' }],
])

/** What an operator makes of the rows (5, 6) and (1, 2). */
async function apply(build: (op: Operators, rows: string, ids: string) => string): Promise<number[]> {
  const model = onnxModel(places, 'weights')
  const op = operators(model, 0)
  const ids = model.input('ids', ['n'])
  model.output('y', build(op, op.lookUp('table', ids), ids), ['n', 'm'])
  const session = await InferenceSession.create(model.encode(), { externalData: [{ path: 'weights', data }] })
  const { y } = await session.run({ ids: new Tensor('int64', BigInt64Array.of(2n, 0n), [2]) })
  await session.release()
  return [...(y!.data as Float32Array)]
}

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 6) as number)

test.each<{ name: string; build: Parameters<typeof apply>[0]; expected: number[] }>([
  { name: 'looking up', build: (_, rows) => rows, expected: [5, 6, 1, 2] },
  { name: 'the first rows', build: (op, _, ids) => op.firstRows('table', op.axisOf(ids, 0)), expected: [1, 2, 3, 4] },
  // W = (1 2; 3 4), b = (5, 6)
  { name: 'x·Wᵀ + b', build: (op, rows) => op.linear(rows, 'dense'), expected: [22, 45, 10, 17] },
  // e⁻¹/(1 + e⁻¹), as 6 is 5 + 1 and 2 is 1 + 1
  {
    name: 'softmax',
    build: (op, rows) => op.softmax(rows),
    expected: close([0.2689414, 0.7310586, 0.2689414, 0.7310586]),
  },
  { name: 'length', build: (op, rows) => op.length(rows), expected: close([Math.sqrt(61), Math.sqrt(5)]) },
  // x·Φ(x): Φ(1) = 0.841344746, Φ(2) = 0.977249868
  {
    name: 'gelu',
    build: (op, rows) => op.gelu(op.subtract(rows, op.number(4))),
    expected: close([0.8413447, 1.9544997, -0.00405, -0.0455003]),
  },
])('$name', async ({ build, expected }) => {
  expect(await apply(build)).toEqual(expected)
})

test.each(['absent', 'wide'])('a tensor that is %s is refused', (name) => {
  expect(() => onnxModel(places, 'weights').weight(name)).toThrow(`no 16-bit tensor ${name}`)
})
