import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { readResults } from '../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { run } from '../run/run.ts'
import { testMethod } from '../testing/index.ts'
import type { Evidence } from '../types.ts'
import { oracle } from './oracle.ts'

testMethod(oracle)

const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'a: 14 four', 'b: 0 five')

test.each<[string, Evidence[], [string, string[]][]]>([
  ['quotes', [{ documentId: 'a', text: 'two th' }], [['two th', ['c0', 'c1']]]],
  ['takes a document without a quotation whole', [{ documentId: 'b' }], [['five', ['c3']]]],
  [
    'returns each document once',
    [
      { documentId: 'a', text: 'four' },
      { documentId: 'a', text: 'four' },
    ],
    [['four', ['c2']]],
  ],
  ['keeps words that stand nowhere', [{ documentId: 'a', text: '2' }], [['2', []]]],
  [
    'quotes evidence that no document contains',
    [
      { documentId: '', text: 'as written', missing: true },
      { documentId: 'b', text: 'five' },
    ],
    [
      ['as written', []],
      ['five', ['c3']],
    ],
  ],
  ['gives nothing where nothing supports an answer', [], []],
])('%s', async (_name, evidence, expected) => {
  const { passages } = await ask(oracle, chunks, { evidence })
  expect(passages.map(({ text, from }) => [text, from])).toEqual(expected)
})

test('needs evidence', async () => {
  await expect(ask(oracle, chunks, {})).rejects.toThrow('question q7 has no evidence')
  await expect(ask(oracle, chunks, { evidence: [{ documentId: 'zz' }] })).rejects.toThrow('question q7')
  const gone = ask(oracle, chunks, { evidence: [{ documentId: 'gone', missing: true }] })
  await expect(gone).rejects.toThrow('question q7 has evidence only in documents that have no text here')
})

/** What the oracle row gives for questions of own data: the size of its context, or why it failed. */
async function askedOfOwnData(questions: readonly object[]): Promise<readonly unknown[]> {
  const project = await tinyProject({ dataset: { use: 'files', path: 'own' }, methods: ['oracle'] })
  await mkdir(join(project, 'own'))
  await writeFile(join(project, 'own', 'mill.md'), 'The mill at Orrin was built in 1841 by Tamsin Vale.')
  await writeFile(join(project, 'own', 'questions.json'), JSON.stringify(questions))
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  const { trials } = await readResults(folder)
  return trials.map(({ failure, context }) => failure?.message ?? context.length)
}

test('gives an unanswerable question an empty context, and fails one with unknown evidence', async () => {
  const named = { question: 'Who built it?', answer: 'Tamsin Vale', evidence: 'built in 1841 by Tamsin Vale' }
  const unanswerable = { question: 'What did it cost?', answer: 'Unanswerable' }
  const unanswered = { question: 'Who is the mayor?', answer: [] }
  const unnamed = { question: 'Where is it?', answer: 'Orrin' }
  expect(await askedOfOwnData([named, unanswerable, unanswered, unnamed])).toEqual([
    ...[1, 0, 0],
    'question 4 has no evidence',
  ])
  await expect(askedOfOwnData([unnamed])).rejects.toThrow(
    'the method "oracle" needs evidence, and no question of the dataset "files" names any',
  )
})
