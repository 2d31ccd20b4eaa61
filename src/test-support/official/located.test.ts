import { describe, expect, test } from 'vitest'
import type { Passage } from '../../types.ts'
import { locatorOf } from './located.ts'

const text = 'Once more: yes.\n\nA second one: yes.\n\nOnce more, yes!'
const documents = [
  { id: 'd', text },
  { id: 'e', text: 'Once more: yes.' },
]
const chunk = (id: string, documentId: string, start: number, end: number) => {
  const whole = documents.find((document) => document.id === documentId)?.text ?? ''
  return { id, documentId, position: 0, start, end, text: whole.slice(start, end), tokens: 1 }
}
const chunks = [chunk('d0', 'd', 0, 15), chunk('d1', 'd', 15, 35), chunk('d2', 'd', 35, 51), chunk('e0', 'e', 0, 15)]
const locate = locatorOf({ documents }, chunks)
const passage = (text: string, ...from: string[]): Passage => ({ text, from, score: 1, kind: 'chunk' })
const found = (text: string, ...from: string[]) =>
  locate.placesOf(passage(text, ...from))?.map(({ document, from, to }) => `${document} ${from}-${to}`)

describe('the words of a passage', () => {
  test.each([
    ['stand in its chunk, whatever is between them', 'A second one — yes', ['d1'], ['d 11-24']],
    ['stand in its chunks where they stand elsewhere too', 'Once more yes', ['d2'], ['d 24-35']],
    ['stand in its chunks where a document before it has them too', 'yes', ['d1'], ['d 21-24']],
    ['stand where they touch most of its chunks', 'yes', ['d0', 'd1', 'd2'], ['d 8-11']],
    ['stand where they touch two chunks', 'yes A', ['d0', 'd1'], ['d 8-12']],
    ['stand in all chunks that read alike', 'once more yes', ['d0', 'e0'], undefined],
    ['stand in all chunks that read so', 'Once more: yes.', ['d0', 'e0'], ['d 0-11', 'e 0-11']],
    ['may frame those of a chunk', 'Title. Once more: yes.', ['d0'], ['d 0-11']],
    ['may be no words', '…', ['d0'], []],
    ['are looked for in all documents where it has no chunk', 'second', [], ['d 12-18']],
    ['may stand nowhere', 'nothing of the kind', ['d0'], undefined],
  ])('%s', (_name, words, from, expected) => {
    expect(found(words, ...from)).toEqual(expected)
  })

  test('are not searched in a summary', () => {
    expect(locate.placesOf({ ...passage('Once more: yes.', 'd0'), kind: 'summary' })).toBeUndefined()
  })
})

test("takes evidence at the dataset's offset, else its first occurrence", () => {
  expect(locate.placeOf({ documentId: 'd', text: 'Once more' })).toEqual({ document: 'd', from: 0, to: 8 })
  expect(locate.placeOf({ documentId: 'd', text: 'Once more', start: 37 })).toEqual({ document: 'd', from: 24, to: 32 })
  expect(locate.placeOf({ documentId: 'd', text: 'Never' })).toBeUndefined()
  expect(locate.placeOf({ documentId: 'e' })).toEqual({ document: 'e', from: 0, to: 11 })
})

test('paragraphs are those that overlap a span', () => {
  expect(locate.paragraphsAt({ document: 'd', from: 10, to: 12 })).toEqual(['Once more: yes.', 'A second one: yes.'])
  expect(locate.paragraphsAt({ document: 'd', from: 11, to: 11 })).toEqual([])
})
