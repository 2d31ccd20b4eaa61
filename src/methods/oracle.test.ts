import { describe, expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import type { Evidence } from '../types.ts'
import { oracle } from './oracle.ts'

testMethod(oracle)
testMethod(oracle, { options: { documents: true } })

describe('oracle', () => {
  const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'a: 14 four', 'b: 0 five')

  test.each<[string, Evidence[], object, [string, string[]][]]>([
    ['quotes', [{ documentId: 'a', text: 'two th' }], {}, [['two th', ['c0', 'c1']]]],
    ['takes a document without a quotation whole', [{ documentId: 'b' }], {}, [['five', ['c3']]]],
    [
      'takes each once',
      [
        { documentId: 'a', text: 'four' },
        { documentId: 'a', text: 'four' },
      ],
      {},
      [['four', ['c2']]],
    ],
    ['keeps words that stand nowhere', [{ documentId: 'a', text: '2' }], {}, [['2', []]]],
    [
      'gives whole documents when asked to',
      [
        { documentId: 'b', text: 'five' },
        { documentId: 'a', text: 'one' },
        { documentId: 'a', text: 'four' },
      ],
      { documents: true },
      [
        ['five', ['c3']],
        ['one two three four', ['c0', 'c1', 'c2']],
      ],
    ],
    [
      'gives evidence that is in no document as it is written, also beside whole documents',
      [
        { documentId: '', text: 'as written', missing: true },
        { documentId: 'b', text: 'five' },
      ],
      { documents: true },
      [
        ['as written', []],
        ['five', ['c3']],
      ],
    ],
    ['gives nothing where nothing supports an answer', [], {}, []],
  ])('%s', async (_name, evidence, options, expected) => {
    const found = await ask(oracle, chunks, { evidence, options })
    expect(found.map(({ text, from }) => [text, from])).toEqual(expected)
  })

  test('needs evidence', async () => {
    await expect(ask(oracle, chunks, {})).rejects.toThrow('question q7 has no evidence')
    await expect(ask(oracle, chunks, { evidence: [{ documentId: 'zz' }] })).rejects.toThrow('question q7')
    const gone = ask(oracle, chunks, { evidence: [{ documentId: 'gone', missing: true }] })
    await expect(gone).rejects.toThrow('question q7 names evidence in "gone", which has no text here')
  })
})
