import { expect, test } from 'vitest'
import { verifyClaims } from './claims.ts'
import { extractEntities, extractTriples } from './entities.ts'
import { relateEvents, relateSubjects } from './hlgraphrag.ts'
import { halvesOfText } from './task.ts'
import { extractGraph } from './graphrag-index.ts'
import { utilityQuestions } from './pieces.ts'

test('splits a text between the sentences nearest to its middle, without losing words', () => {
  expect(halvesOfText('One is here. Two is there. Three is far away from both.')).toEqual([
    'One is here. Two is there.',
    'Three is far away from both.',
  ])
  expect(halvesOfText('One sentence alone')).toBeUndefined()
})

test('halves the input of tasks that list items of a text or judge each item', () => {
  const text = 'The mill is old. The weir broke.'
  expect(extractEntities.halves?.({ text })).toEqual([{ text: 'The mill is old.' }, { text: 'The weir broke.' }])
  expect(extractTriples.halves?.({ passage: text, entities: ['mill'] })?.[1]).toEqual({
    passage: 'The weir broke.',
    entities: ['mill'],
  })
  expect(relateSubjects.halves?.({ text, subjects: ['mill'] })?.[0].text).toBe('The mill is old.')
  expect(relateEvents.halves?.({ text, subjects: [], events: ['a', 'b', 'c'] })?.[0].events).toEqual(['a', 'b'])
  expect(verifyClaims.halves?.({ claims: ['a', 'b'], context: text })?.[1]).toEqual({ claims: ['b'], context: text })
  expect(verifyClaims.halves?.({ claims: ['a'], context: text })).toBeUndefined()
  expect(extractGraph.halves?.({ text, entityTypes: ['mill'], replies: [] })?.[1].text).toBe('The weir broke.')
  expect(
    extractGraph.halves?.({ text, entityTypes: ['mill'], replies: [{ entities: [], relationships: [] }] }),
  ).toBeUndefined()
  expect(utilityQuestions.halves?.({ text, count: 5 })?.map(({ count }) => count)).toEqual([3, 2])
  expect(utilityQuestions.halves?.({ text, count: 1 })).toBeUndefined()
  expect(utilityQuestions.joined?.(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
  const verdict = (statement: string) => ({ statements: [{ statement, reason: '', verdict: 1 as const }] })
  expect(verifyClaims.joined?.(verdict('a'), verdict('b')).statements).toHaveLength(2)
})
