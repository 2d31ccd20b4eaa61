import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { gather } from '../../testing/dataset.ts'
import type { Corpus } from '../../types.ts'
import { sample } from './sample.ts'

const pond = '# Pond\n\nOne fish swims.\n\nTwo fish\nswim.\n'
const place = (paragraph: string): object => ({ document: 'pond', paragraph })

const question = {
  id: 'a',
  kind: 'answer',
  question: 'How many?',
  accepted: [
    { type: 'extractive', text: 'One' },
    { type: 'extractive', text: 'Two', evidence: [place('Two fish')] },
  ],
  evidence: [place('One fish')],
}
const choice = { id: 'b', kind: 'choice', question: 'Who?', options: ['x', 'y'], correct: 1, evidence: [] }

const copyWith = (...questions: readonly object[]): string =>
  folderOf({ 'documents/pond.md': pond, 'questions.jsonl': questions.map((item) => JSON.stringify(item)).join('\n') })

const read = async (path: string, options: object = {}): Promise<Corpus> =>
  (await gather(sample.corpora(path, sample.options.parse(options))))[0]!

test('the evidence of an annotator joins that of the question, or is that of the question', async () => {
  const { questions } = await read(copyWith(question))
  const [first, second] = ['One fish swims.', 'Two fish\nswim.'].map((text) => {
    return { documentId: 'pond', text, start: pond.indexOf(text) }
  })
  expect(questions[0]?.evidence).toEqual([first, second])
  expect(questions[0]?.reference).toMatchObject({ accepted: [{ evidence: [first] }, { evidence: [second] }] })
})

test('reads one kind of question alone', async () => {
  const idsOf = async (kinds: string) =>
    (await read(copyWith(question, choice), { kinds })).questions.map(({ id }) => id)
  expect([await idsOf('all'), await idsOf('choice'), await idsOf('answer')]).toEqual([['a', 'b'], ['b'], ['a']])
  await expect(read(copyWith(question), { kinds: 'choice' })).rejects.toThrow('contains no questions')
})

test('names a paragraph that is not there by file and line', async () => {
  const path = copyWith(question, { ...choice, evidence: [place('Three fish')] })
  await expect(read(path)).rejects.toThrow(
    `${join(path, 'questions.jsonl')}:2: no paragraph of "pond" begins "Three fish"`,
  )
})
