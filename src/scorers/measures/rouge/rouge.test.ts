import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonSubsequence, rougeL, rougeLsum, summaryLines, rougeN, bestScore, rougeTokens } from '../../rouge.ts'
import { stem } from './porter.ts'
describe('stem', () => {
  test.each([
    ['caresses ponies cats', 'caress poni cat'],
    ['dies ties flies died spied', 'die tie fli die spi'],
    ['feed agreed bled plastered', 'feed agre bled plaster'],
    ['hopping falling filing sized', 'hop fall file size'],
    ['happy enjoy by try', 'happi enjoy by tri'],
    ['radically hopefully possibly biology', 'radic hope possibl biolog'],
    ['skies dying innings proceed', 'sky die inning proceed'],
    ['adoption region replacement', 'adopt region replac'],
    ['controller roll cease rate', 'control roll ceas rate'],
    ['a is Running', 'a is run'],
    ['café naïvely', 'café naïv'],
  ])('%s', (words, stems) => {
    expect(words.split(' ').map(stem).join(' ')).toBe(stems)
  })

  test('takes any word, however long', () => {
    expect(stem('y'.repeat(10_000))).toHaveLength(10_000)
    fc.assert(
      fc.property(fc.string(), (word) => {
        expect(stem(word).length).toBeLessThanOrEqual(word.toLowerCase().length)
      }),
    )
  })
})

describe('rougeTokens', () => {
  test.each([
    ["It's 3.14 café_au lait", false, ['it', 's', '3', '14', 'caf', 'au', 'lait']],
    ['日本語', false, []],
    ['\u212Aelvin', false, ['kelvin']],
    ['dying cats ran fly flying', true, ['die', 'cat', 'ran', 'fly', 'fli']],
  ])('%j', (text, stemming, expected) => {
    expect(rougeTokens(text, stemming)).toEqual(expected)
  })
})

const score = (hits: number, predicted: number, wanted: number) => ({
  precision: expect.closeTo(hits / predicted, 12) as number,
  recall: expect.closeTo(hits / wanted, 12) as number,
  fmeasure: expect.closeTo((2 * hits) / (predicted + wanted), 12) as number,
})

const zero = { precision: 0, recall: 0, fmeasure: 0 }

describe('ROUGE', () => {
  const reference = 'a b c a b'.split(' ')
  const prediction = 'b a b a b a'.split(' ')

  test('n-grams count as often as both have them', () => {
    expect(rougeN(reference, prediction, 1)).toEqual(score(4, 6, 5))
    expect(rougeN(reference, prediction, 2)).toEqual(score(2, 5, 4))
    expect(rougeN(['a'], ['a'], 2)).toEqual(zero)
  })

  test('L is the longest common subsequence', () => {
    expect(rougeL(reference, prediction)).toEqual(score(4, 6, 5))
    expect(rougeL([], prediction)).toEqual(zero)
    expect(rougeL([], [])).toEqual(zero)
  })

  test('Lsum joins what the lines of the prediction share with a line of the reference', () => {
    const lines = (text: string) => summaryLines(text).map((line) => line.split(' '))
    // the example of Lin 2004, section 3.2: four of five
    expect(rougeLsum(lines('1 2 3 4 5'), lines('1 2 6 7 8\n1 3 8 9 5'))).toEqual(score(4, 10, 5))
    expect(rougeLsum(lines('1 2\n1 2'), lines('1 2'))).toEqual(score(2, 2, 4))
    expect(rougeLsum(lines(''), lines('1'))).toEqual(zero)
  })

  test('several references are maximised part by part', () => {
    expect(bestScore([rougeN(['a'], ['a', 'b'], 1), rougeN(['a', 'b', 'c'], ['a', 'b'], 1)])).toEqual({
      precision: 1,
      recall: 1,
      fmeasure: expect.closeTo(0.8, 12) as number,
    })
    expect(() => bestScore([])).toThrow(RangeError)
  })

  test('a text against itself scores 1; precision and recall change places with the texts', () => {
    const tokens = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(tokens, tokens, (one, other) => {
        expect(rougeN(one, one, 1).fmeasure).toBe(1)
        expect(rougeL(one, one).fmeasure).toBe(1)
        expect(rougeLsum([one], [one]).fmeasure).toBe(1)
        expect(rougeL(one, other).precision).toBe(rougeL(other, one).recall)
        expect(rougeL(one, other).recall).toBeLessThanOrEqual(rougeN(one, other, 1).recall)
        const indices = commonSubsequence(one, other)
        expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b))
      }),
    )
  })
})
