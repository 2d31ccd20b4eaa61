import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { validateItems, expectedBy, flattenLists } from './validate.ts'
import { parseLenient } from './json.ts'

const list = (text: string) => parseLenient(text, 'list')
const clean = (value: unknown) => ({ outcome: 'clean', value })
const repaired = (value: unknown) => ({ outcome: 'repaired', value })
const lossy = (value: unknown) => ({ outcome: 'repaired', value, lossy: true })

describe('nine replies that defeat a naive repair', () => {
  test.each([
    ['trailing comma', '["a", "b",]', repaired(['a', 'b'])],
    ['fenced', '```json\n["a", "b"]\n```', clean(['a', 'b'])],
    ['prose before', 'Here is the list:\n["a", "b"]', clean(['a', 'b'])],
    ['prose after', '["a", "b"]\nI hope this helps!', clean(['a', 'b'])],
    ['fenced with prose around', 'Sure:\n```json\n["a", "b"]\n```\nAnything else?', clean(['a', 'b'])],
    ['truncated', '[{"a": 1}, {"b": 2}, {"c":', lossy([{ a: 1 }, { b: 2 }])],
    ['newline-separated objects', '{"a": 1}\n{"a": 2}', repaired([{ a: 1 }, { a: 2 }])],
  ])('%s', (_name, text, expected) => expect(list(text)).toEqual(expected))

  test.each([
    ['plain prose', 'I could not find any entities.', 'the reply holds no JSON list'],
    ['empty', ' \n', 'the reply is empty'],
  ])('%s', (_name, text, reason) => expect(list(text)).toEqual({ outcome: 'failed', reason }))
})

test.each([
  ['prose with brackets before', 'I found [2] items (see [1, 2]):\n["a", "b"]', repaired(['a', 'b'])],
  ['prose with brackets after', '["a", "b"]\nSource: [1]', repaired(['a', 'b'])],
  ['a list to mend before brackets', '["a", "b",]\nSource: [1]', repaired(['a', 'b'])],
  ['numbered objects', '1. {"a": 1}\n2. {"a": 2,}\n', repaired([{ a: 1 }, { a: 2 }])],
  ['a wrapped list in prose', 'See [1]: {"items": ["a"]} and [2].', repaired(['a'])],
  [
    'newline-separated lists',
    '["a", "b"]\n["c", "d"]',
    repaired([
      ['a', 'b'],
      ['c', 'd'],
    ]),
  ],
  ['brackets in strings', '["a ] b", "c } [d"]', clean(['a ] b', 'c } [d'])],
  ['a fence in a string', '["use ```js\\nf([1])\\n``` here"]', clean(['use ```js\nf([1])\n``` here'])],
  ['nested fences', '```\n```json\n["a"]\n```\n```', clean(['a'])],
  ['nested fences with prose', '```markdown\nHere:\n```json\n["a"]\n```\n```', clean(['a'])],
  ['two fences: the last', '```json\n["draft"]\n```\nBetter:\n```json\n["final"]\n```', clean(['final'])],
  [
    'two fences: the last, though it is shorter and broken',
    '```\n["the draft"]\n```\n```\n["b",]\n```',
    repaired(['b']),
  ],
  ['an empty last fence', '```json\n["a"]\n```\n```\n\n```', clean(['a'])],
  ['a fence on one line', '```json ["a"]```', clean(['a'])],
  ['words on the closing fence', '```json\n["a"]\n```Hope this helps', clean(['a'])],
  ['a fence never closed', '```json\n["a", "b"', lossy(['a'])],
  ['exotic spaces between', '[\u00a0"a",\u3000"b\u00a0c"\u2009]', repaired(['a', 'b\u00a0c'])],
  [
    'bare NaN',
    '[["a", NaN], ["NaN", -Infinity]]',
    repaired([
      ['a', null],
      ['NaN', null],
    ]),
  ],
  ['line breaks in strings', '["a\nb"]', repaired(['a\nb'])],
  ['Python words and quotes', "{'a': True, 'b': None}", repaired([{ a: true, b: null }])],
  ['comments', '[1, // one\n2]', repaired([1, 2])],
  ['an inch sign, after which no end is certain', '["5" tall", "b"]', lossy(['5" tall', 'b'])],
  ['one object', '{"a": 1, "b": [2]}', clean([{ a: 1, b: [2] }])],
  ['items', '{"items": ["a"], "count": 1}', clean(['a'])],
  ['the sole key', '{"facts": [["a", "b", "c"]]}', clean([['a', 'b', 'c']])],
  ['prose that became an item stays', '["The list:", ["a", "b"]]', clean(['The list:', ['a', 'b']])],
  ['a list of lists stays', '[["a", "b"], ["c"]]', clean([['a', 'b'], ['c']])],
  ['an empty list', '[]', clean([])],
])('reads a list with %s', (_name, text, expected) => expect(list(text)).toEqual(expected))

describe('a truncated reply', () => {
  test.each([
    ['in a string', '["a", "b, c", "d, e', lossy(['a', 'b, c'])],
    ['after a bracket in a string', '["a [1]", "b]", "c', lossy(['a [1]', 'b]'])],
    ['in the second list of an item', '[{"a": [1], "b": [2]}, {"a": [3], "b": [4,', lossy([{ a: [1], b: [2] }])],
    ['in a wrapped list', '{"items": [{"a": 1}, {"a": 2, "b"', lossy([{ a: 1 }])],
    [
      'between items',
      '[[1, 2], [3, 4]',
      lossy([
        [1, 2],
        [3, 4],
      ]),
    ],
  ])('%s', (_name, text, expected) => expect(list(text)).toEqual(expected))

  test('fails before its first item ends', () => {
    const reason = 'the reply breaks off before its first item ends'
    expect(list('["a very long')).toEqual({ outcome: 'failed', reason })
    expect(parseLenient('{"summary": "half a sen', 'object')).toEqual({ outcome: 'failed', reason })
  })

  test('keeps the complete properties of an object', () =>
    expect(parseLenient('{"a": ["x"], "b": ["y", "z', 'object')).toEqual(lossy({ a: ['x'], b: ['y'] })))
})

describe('where an object is expected', () => {
  test.each([
    ['it stays', '{"a": [1]}', clean({ a: [1] })],
    ['a list of one', '[{"a": 1}]', clean({ a: 1 })],
    ['a brace in a string', 'So: {"a": "x } y {"} ok', clean({ a: 'x } y {' })],
    ['prose with brackets', 'See [1] below: {"a": 1}. [2] too.', repaired({ a: 1 })],
  ])('%s', (_name, text, expected) => expect(parseLenient(text, 'object')).toEqual(expected))

  test.each(['[1, 2]', '[{"a": 1}, {"a": 2}]', '"a"', '7'])('%s is rejected', (text) =>
    expect(parseLenient(text, 'object').outcome).toBe('failed'),
  )

  test.each([
    ['one of several is picked', 'First {"a": [1]}, then {"a": [2, 3]}.', lossy({ a: [2, 3] })],
    ['it is whole but for its end', '{"a": [1, 2]', lossy({ a: [1, 2] })],
  ])('something may be lost where %s', (_name, text, expected) =>
    expect(parseLenient(text, 'object')).toEqual(expected),
  )
})

describe('where an object is expected that holds one list', () => {
  const listOf = (text: string) => parseLenient(text, { listOf: 'a' })
  test.each([
    ['the object stays', '{"a": [1]}', clean({ a: [1] })],
    ['and is taken out of a list', '[{"a": [1]}]', clean({ a: [1] })],
    ['a list alone', '["x", "y"]', clean({ a: ['x', 'y'] })],
    ['an empty list', '[]', clean({ a: [] })],
    ['a list of one object', '[{"b": 1}]', clean({ a: [{ b: 1 }] })],
    ['a list of objects', '[{"b": 1}, {"b": 2}]', clean({ a: [{ b: 1 }, { b: 2 }] })],
    ['a list in a fence', 'Here:\n```json\n["x"]\n```', clean({ a: ['x'] })],
    ['a list to mend in a fence', '```json\n["x",]\n```', repaired({ a: ['x'] })],
    ['an object without it, for what is wrong to be said', '{"b": 1}', clean({ b: 1 })],
  ])('%s', (_name, text, expected) => expect(listOf(text)).toEqual(expected))

  test.each(['I found none [1].', 'See [1] and [2].', '["x", "y'])('%j is rejected', (text) =>
    expect(listOf(text).outcome).toBe('failed'),
  )
})

test.each([
  ...['[', '{"a":', '[{', '["a" ', '```[ ', '```json\n[\n', '[1] x ', '`', 'a```b\n', '"', '\\', '[\\"', ']'],
  ...['no brackets at all ', '[NaN ', '[--'],
])('a hundred kilobytes of %j end in an outcome', (junk) => {
  const text = junk.repeat(Math.ceil(100_000 / junk.length))
  expect(['clean', 'repaired', 'failed']).toContain(list(text).outcome)
})

describe('conform', () => {
  const person = z.object({ name: z.string().min(1), age: z.number().optional() })
  const people = z.object({ people: z.array(person).default([]), places: z.array(z.string()), note: z.string() })

  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a good list', z.array(z.string()), ['a'], { value: ['a'], skipped: 0 }],
    ['bad items', z.array(z.string()), ['a', 1, null, 'b'], { value: ['a', 'b'], skipped: 2 }],
    ['an empty list', z.array(z.string()), [], { value: [], skipped: 0 }],
    [
      'behind optional, default and transform',
      z
        .array(z.string())
        .transform((all) => all.length)
        .default(0),
      ['a', 1],
      { value: 1, skipped: 1 },
    ],
    [
      'lists in an object',
      people,
      { people: [{ name: 'a' }, { name: '' }], places: ['p', 3], note: 'n' },
      { value: { people: [{ name: 'a' }], places: ['p'], note: 'n' }, skipped: 2 },
    ],
    [
      'an absent list',
      people,
      { places: ['p', 3], note: 'n' },
      { value: { people: [], places: ['p'], note: 'n' }, skipped: 1 },
    ],
    [
      'a property named like a method',
      z.array(z.object({ toString: z.string() })),
      [{ toString: 'x' }, {}],
      { value: [{ toString: 'x' }], skipped: 1 },
    ],
  ])('%s', (_name, schema, value, expected) => expect(validateItems(schema, value)).toEqual(expected))

  test.each<[string, z.ZodType, unknown, RegExp]>([
    ['no good item', z.array(z.string()), [1, 2], /^\[0\]: .*string.* \(and 1 more\)$/],
    ['no list', z.array(z.string()), 'a', /expected array/],
    ['a bad property', people, { places: ['p', 3], note: 1 }, /^note: .*string/],
    ['a rule on what is left', z.array(z.string()).min(2), ['a', 1], />=2/],
  ])('%s', (_name, schema, value, error) =>
    expect(validateItems(schema, value)).toEqual({ error: expect.stringMatching(error) as string }),
  )

  test('the schema determines the expected shape', () => {
    expect(expectedBy(z.array(z.string()).default([]))).toBe('list')
    expect(expectedBy(people)).toBe('object')
    expect(expectedBy(z.object({ places: z.array(z.string()) }).transform(({ places }) => places))).toEqual({
      listOf: 'places',
    })
    expect(expectedBy(z.object({ note: z.string() }))).toBe('object')
  })
})

const words = z.array(z.string())
const objects = z.array(z.object({ a: z.number() }))
const triples = z.array(z.tuple([z.string(), z.string(), z.string()]))
const one = { a: 1 }
const two = { a: 2 }
const abc = ['a', 'b', 'c']

test.each([
  ['one list of strings', words, [['q1?', 'q2?']], ['q1?', 'q2?']],
  ['prose beside it is dropped', words, ['Here is the list:', ['a', 'b']], ['a', 'b']],
  ['one list of objects', objects, [[one, two]], [one, two]],
  ['two lists of objects', objects, [[one], [two]], [one, two]],
  ['an object beside a list', objects, [one, [two]], [one, two]],
  ['no deeper than one level', objects, [[[one]]], [[one]]],
  ['a list of triples', triples, [[abc, abc]], [abc, abc]],
  ['triples stay', triples, [abc, ['a']], [abc, ['a']]],
  ['triples stay beside prose, which is skipped as an item', triples, ['Here:', abc], ['Here:', abc]],
  ['lists of any length stay', z.array(words), [['a'], []], [['a'], []]],
  ['lists stay where strings are items too', z.array(z.union([z.string(), words])), ['a', ['b']], ['a', ['b']]],
  ['a list without lists', words, ['a', 7], ['a', 7]],
  ['the list that an object holds stays', z.object({ items: words }), { items: ['a', ['b']] }, { items: ['a', ['b']] }],
])('flattens nested lists by one level unless the schema has nested lists: %s', (_name, schema, value, expected) =>
  expect(flattenLists(schema, value)).toEqual(expected),
)
