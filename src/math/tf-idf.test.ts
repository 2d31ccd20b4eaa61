import { expect, test } from 'vitest'
import { tfIdfIndex } from './tf-idf.ts'

const bags = ['the cat sat', 'the dog dog', 'a bird'].map((text) => text.split(' '))

test('the numbers of scikit-learn 1.9 on the same words', () => {
  const texts = ['who kept the old mill', 'the mill by the river by the mill', 'nobody kept it', '']
  const hits = tfIdfIndex(texts.map((text) => (text === '' ? [] : text.split(' ')))).search(
    'who kept the mill by night'.split(' '),
    4,
  )
  expect(hits.map(({ index }) => index)).toEqual([0, 1, 2])
  for (const [rank, score] of [0.7412529267442962, 0.7184059572116333, 0.1952814546143918].entries())
    expect(hits[rank]?.score).toBeCloseTo(score, 12)
})

test('finds nothing without shared words, query words or texts', () => {
  expect(tfIdfIndex(bags).search(['fish'], 3)).toEqual([])
  expect(tfIdfIndex(bags).search([], 3)).toEqual([])
  expect(tfIdfIndex([]).search(['cat'], 3)).toEqual([])
})
