import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, test } from 'vitest'
import { onnxModel, type OnnxModel } from './bert-graph.ts'

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
async function apply(build: (model: OnnxModel, rows: string, ids: string) => string): Promise<number[]> {
  const model = onnxModel(places)
  const ids = model.input('ids', ['n'])
  const rows = model.node('Cast', [model.node('Gather', [model.stored('table'), ids])], { to: 1 })
  model.output('y', build(model, rows, ids), ['n', 'm'])
  const session = await InferenceSession.create(model.encode(), { externalData: [{ path: 'weights', data }] })
  const { y } = await session.run({ ids: new Tensor('int64', BigInt64Array.of(2n, 0n), [2]) })
  await session.release()
  return [...(y!.data as Float32Array)]
}

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 6) as number)

test.each<{ name: string; build: Parameters<typeof apply>[0]; expected: number[] }>([
  { name: 'stored numbers, looked up', build: (_, rows) => rows, expected: [5, 6, 1, 2] },
  {
    name: 'a list of integers, negative ones too, and a weight',
    build: ({ node, weight, constant }) => node('Slice', [weight('table'), constant([-2]), constant([3])]),
    expected: [3, 4, 5, 6],
  },
  {
    name: 'an integer attribute',
    build: ({ node }, rows) => node('Softmax', [rows], { axis: -1 }),
    // e⁻¹/(1 + e⁻¹), as 6 is 5 + 1 and 2 is 1 + 1
    expected: close([0.2689414, 0.7310586, 0.2689414, 0.7310586]),
  },
  {
    name: 'a list as an attribute',
    build: ({ node }, rows) => node('ReduceL2', [rows], { axes: [-1] }),
    expected: close([Math.sqrt(61), Math.sqrt(5)]),
  },
  {
    name: 'a float',
    build: ({ node, constant }, rows) => node('Mul', [rows, constant(0.5)]),
    expected: [2.5, 3, 0.5, 1],
  },
  {
    name: 'a float attribute',
    build: ({ node }, rows) => node('LeakyRelu', [node('Neg', [rows])], { alpha: 0.25 }),
    expected: [-1.25, -1.5, -0.25, -0.5],
  },
])('$name', async ({ build, expected }) => {
  expect(await apply(build)).toEqual(expected)
})

test.each(['absent', 'wide'])('a tensor that is %s is refused', (name) => {
  expect(() => onnxModel(places).weight(name)).toThrow(`no 16-bit tensor ${name}`)
})
