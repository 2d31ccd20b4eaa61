import { describe, expect, test } from 'vitest'
import { rowsToMatrix } from '../../math/vectors.ts'
import type { Triple } from '../../tasks/entities.ts'
import { closest, likeness } from '../hipporag2/link-facts.ts'
import { knowledgeOf, phraseEdges, factText, normalPhrase } from './knowledge.ts'
import { minMax } from '../shared/scores.ts'

describe('normal phrases', () => {
  test.each([
    ["Dr. No's (1962)", 'dr  no s  1962', 'dr  no s  1962'],
    ['  A\tb\n', 'a b', 'a b'],
    ['Café 😀!', 'caf', 'café'],
    ['灯塔', '', '灯塔'],
    ['रखवाली', '', 'रखवाली'],
    ['$', '', ''],
  ])('%j', (text, ascii, unicode) => {
    expect(normalPhrase(text, 'ascii')).toBe(ascii)
    expect(normalPhrase(text, 'unicode')).toBe(unicode)
  })

  test('formats a fact like a Python tuple', () => {
    expect(factText(['ann', 'built', 'arden mill'])).toBe("('ann', 'built', 'arden mill')")
  })
})

describe('edges between phrases', () => {
  const edgesOf = (triples: readonly Triple[], vectors: readonly number[][]) => {
    const knowledge = knowledgeOf([triples], 'ascii')
    const rows = rowsToMatrix(vectors.map((vector) => Float32Array.from(vector)))
    const { from, to, weight, synonyms } = phraseEdges(knowledge, rows)
    const name = (row = NaN) => knowledge.phrases[row]
    const list = Array.from(weight, (value, i) => [name(from[i]), name(to[i]), Number(value.toFixed(6))])
    return { list, synonyms }
  }

  test('adds an edge in each direction, weighted by the number of extractions', () => {
    const triples: Triple[] = [['ann', 'built', 'mill'], ['mill', 'is of', 'ann'], ['mill', 'is', 'mill'], ['$', 'is', 'ann']] // prettier-ignore
    const { list, synonyms } = edgesOf(triples, [[1, 0], [0, 1]]) // prettier-ignore
    expect(list).toEqual([['ann', 'mill', 2], ['mill', 'ann', 2]]) // prettier-ignore
    expect(synonyms).toBe(0)
  })

  test('replaces a relation by a synonym in its direction', () => {
    // mill and mills are 0.96 alike, ab is too short to look for synonyms, yet is one of the others
    const triples: Triple[] = [['mill', 'is', 'mills'], ['mill', 'is', 'ab']] // prettier-ignore
    const vectors = [[1, 0], [0.96, 0.28], [1, 0]] // prettier-ignore
    const { list } = edgesOf(triples, vectors)
    expect(list).toEqual([
      ['mill', 'mills', 0.96],
      ['mills', 'mill', 0.96],
      ['mill', 'ab', 1],
      ['ab', 'mill', 1],
      ['mills', 'ab', 0.96],
    ])
  })

  test('links phrases with a cosine of 0.8 or more, at most 101 per phrase', () => {
    const triples: Triple[] = [['one', 'is', 'two'], ['two', 'is', 'three']] // prettier-ignore
    const vectors = [[1, 0], [0.96, 0.28], [0.8, 0.6]] // prettier-ignore
    expect(edgesOf(triples, vectors).synonyms).toBe(6)
    expect(edgesOf(triples, [[1, 0], [0.96, 0.28], [0.7, 0.714]]).synonyms).toBe(4) // prettier-ignore
    const many = Array.from({ length: 110 }, (_, i): Triple => [`phrase ${i}`, 'is', `phrase ${i}`])
    const alike = many.map(() => [1, 0])
    expect(edgesOf(many, alike).synonyms).toBe(110 * 101)
  })
})

describe('the closest fact', () => {
  // figures of Python's difflib.SequenceMatcher(None, a, b).ratio()
  test.each([
    ['abcd', 'bcde', 0.75],
    ['', '', 1],
    ['a', '', 0],
    ['tide', 'diet', 0.25],
    ['diet', 'tide', 0.5],
    ['private', 'private thread', 2 / 3],
    ['qabxcd', 'abycdf', 2 / 3],
    ["('robert stevenson', 'planned', 'lighthouse')", "('stevenson', 'planned the', 'lighthouse')", 0.8735632183908046],
  ])('%j and %j are %d alike', (a, b, expected) => expect(likeness(a, b)).toBeCloseTo(expected, 12))

  // as difflib.get_close_matches(text, candidates, n=1, cutoff=0) has it
  test('maps any text to a candidate, in ties to the largest text', () => {
    const candidates = ["('bob', 'sold', 'mill')", "('ann', 'built', 'arden mill')", "('ann', 'is', 'old')"]
    expect(closest("('ann', 'built', 'a mill')", candidates)).toBe(1)
    expect(closest('灯塔', ['ab', 'cd', 'bc'])).toBe(1)
    expect(closest('x', ['xa', 'xb'])).toBe(1)
    expect(closest("('x', 'y', 'z')", ["('d', 'r', 'e')", "('b', 'r', 'c')"])).toBe(0)
    // by code points, not by the halves of characters
    expect(closest('x', ['\u{1F600}', '\uFF5E'])).toBe(0)
  })
})

test.each([
  [[3, 1, 2], [1, 0, 0.5]],
  [[-1, -1], [1, 1]],
  [[0], [1]],
  [[], []],
])('min-max of %j is %j', (scores, expected) => expect([...minMax(Float64Array.from(scores))]).toEqual(expected)) // prettier-ignore
