import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawing } from '../../test-support/drawing.ts'
import {
  addToNumber,
  type EncodedPage,
  type PageData,
  readIntegers,
  writeIntegers,
  decodePage,
  encodePage,
} from './page-format.ts'
import { layout } from './layout.ts'
import { pageData } from './page-data.ts'
test.each([
  [[0, 1, -1, 15, -15], 'ACDef'],
  [[16, -16, 511, 512], 'gBhB+fggB'],
  [[], ''],
])('%j is written %j', (values, text) => {
  expect(writeIntegers(values)).toBe(text)
  expect(readIntegers(text)).toEqual(values)
})

test('any whole number is read as it was written', () => {
  const whole = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })
  fc.assert(
    fc.property(fc.array(whole), (values) => {
      expect(readIntegers(writeIntegers(values))).toEqual(values)
    }),
  )
})

test.each([
  ['000012:000007', 1, 3, '000012:000010'],
  ['000012:000007', 0, 1, '000013:000007'],
  ['phrase 9', 0, 1, 'phrase 10'],
  ['99', 0, 1, '100'],
])('%j: number %i, %i further on, is %j', (name, number, by, further) => {
  expect(addToNumber(name, number, by)).toBe(further)
})

test('names that count on are one', () => {
  const ids = ['0:8', '0:9', '0:10', '1:0', '2:0', 'a', 'a', '12345678901234567890']
  expect(encodePage(dataOf(ids)).nodes.id).toEqual([
    ['0:8', 1, 3],
    ['1:0', 0, 2],
    ['a'],
    ['a'],
    ['12345678901234567890'],
  ])
})

test('what was packed is unpacked, whatever it is', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('0:1', '0:2', '0:3', '007', '008', 'x9y'))
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text))
  const node = fc.record({
    id: text,
    data: fc.dictionary(fc.constantFrom('degree', 'questions', '__proto__', ' '), value),
    kind: fc.nat({ max: 2 }),
  })
  const edge = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.constantFrom(1, 0.5, 1e-9, -2))
  const related = fc.tuple(fc.nat(9), fc.nat(9), fc.constant(1), fc.nat(1))
  fc.assert(
    fc.property(fc.array(node), fc.array(fc.oneof(edge, related)), (nodes, edges) => {
      const data = { ...dataOf(nodes.map(({ id }) => id)), edges }
      const columns = { ...data.nodes, kind: nodes.map(({ kind }) => kind), data: nodes.map((one) => one.data) }
      const whole = { ...data, nodes: columns }
      expect(carried(whole)).toEqual(JSON.parse(JSON.stringify(whole)))
    }),
  )
})

test('the questions of a page are unpacked as well', () => {
  const data = pageData(drawing, layout(drawing.graph))
  expect(carried(data)).toEqual(data)
  expect(data.lookups).toEqual(drawing.lookups)
})

test('of why a passage was found, a page has what can be said in one line', () => {
  const why = { question: 'Who?', similarity: 0.123456, edgeFromRank: 1, members: [1, 2] }
  const lookups = [{ question: 'Who built it?', own: true, found: [{ nodes: [0], score: 1, why }] }]
  const data = pageData({ ...drawing, lookups }, layout(drawing.graph))
  expect(carried(data).lookups[0]?.found[0]?.why).toEqual({ question: 'Who?', similarity: 0.1235, edgeFromRank: 1 })
})

/** As a page brings it. */
const carried = (data: PageData): PageData => decodePage(JSON.parse(JSON.stringify(encodePage(data))) as EncodedPage)

const dataOf = (id: readonly string[]): PageData => ({
  method: 'm',
  kinds: ['a', 'b', 'c'],
  relations: ['r', 's'],
  groups: ['one'],
  nodes: {
    id,
    text: id.map((name) => `text of ${name}`),
    kind: id.map(() => 0),
    group: id.map((_, index) => index % 3),
    x: id.map((_, index) => 7 * index - 30),
    y: id.map((_, index) => 90 - 100 * index),
    data: id.map(() => ({})),
  },
  edges: [],
  lookups: [],
})
