import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseYaml, placeOf, valueAt } from './tree.ts'

/** A document and what was reported of it. */
function read(text: string) {
  const reports: string[] = []
  const at = (line: number, column: number) => ({ text: `${line}:${column}`, order: line, folder: '/' })
  const root = parseYaml(text, at, (place, message) => {
    reports.push(`${typeof place === 'string' ? place : place.text} ${message}`)
  })
  return { root, reports, value: root && valueAt(root, []) }
}

test('plain data that the YAML library writes is read back unchanged', () => {
  const key = fc.string({ minLength: 1 })
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(key, tree, { minKeys: 1 }), (value) => {
      const text = stringify(value)
      const { reports, value: found } = read(text)
      expect(reports).toEqual([])
      expect(found).toEqual(parse(text))
    }),
  )
})

const { root } = read('a: 1\nb:\n  - x\n  - c: "long\n      text"\n    d: {e: [1,\n      2]}\n')
test.each([
  [['a'], '1:4'],
  [['b'], '3:3'],
  [['b', 0], '3:5'],
  [['b', 1], '4:5'],
  [['b', 1, 'c'], '4:8'],
  [['b', 1, 'd', 'e', 1], '7:7'],
])('the places of values are right for %j', (path, place) => expect(root && placeOf(root, path).text).toBe(place))

describe('anchors', () => {
  test('an alias is placed where it is used, its content where it is written', () => {
    const { root, value } = read('a: &x { b: 1 }\nc: *x\n')
    expect(value).toEqual({ a: { b: 1 }, c: { b: 1 } })
    expect(root && placeOf(root, ['c']).text).toBe('2:4')
    expect(root && placeOf(root, ['c', 'b']).text).toBe('1:12')
  })

  test('aliases that expand exponentially are refused', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? 'lol' : `*a${level - 1}`
      return `a${level}: &a${level} [${Array(10).fill(inner).join(', ')}]`
    })
    expect(read(levels.join('\n')).reports).toEqual([expect.stringMatching(/excessive alias count/)])
  })
})

test('any text is read or reported; the reader never throws', () => {
  const token = fc.constantFrom(...'a|: |\n|  |- |[|]|{|}|&x |*x|"|\'|#|? |<<|!t |---|,'.split('|'), '|')
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
      const { root, reports } = read(tokens.join(''))
      expect(root !== undefined || reports.length > 0).toBe(true)
    }),
    { numRuns: 500 },
  )
})
