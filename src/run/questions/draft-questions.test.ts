import { expect, test } from 'vitest'
import { ModelError } from '../../errors.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import type { AnswerQuestionInput } from '../../tasks/answers.ts'
import type { draftQuestion } from '../../tasks/pieces.ts'
import { draftQuestions, type Drafting } from './draft-questions.ts'
import { sourceChunks } from './write-drafts.ts'

type DraftQuestionInput = Parameters<typeof draftQuestion.prompt>[0]

const texts = [
  'The mill at Arden was built by John Bell.',
  'Lisk has a harbour. The harbour of Lisk opened in 1864.',
  'Rain fell on Orrin. Rain fell on Orrin.',
]
const documents = texts.map((text, index) => ({ id: `d${index}.txt`, text }))
const settings = { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' } as const
const { chunks } = sourceChunks(documents, settings, 42)

/** What the model answers with the evidence, and what it knows. */
const answering =
  (withEvidence: string, withoutEvidence = 'no idea'): FakeReply =>
  (input) =>
    (input as AnswerQuestionInput).context === '' ? withoutEvidence : withEvidence

const draftWith = (draft: (input: DraftQuestionInput) => unknown, answer: FakeReply, more: Partial<Drafting> = {}) => {
  const models = fakeModels({
    replies: { 'draft-question': (input) => draft(input as DraftQuestionInput), 'answer-question': answer },
  })
  const drafting: Drafting = {
    documents,
    chunks,
    count: 1,
    isWritable: () => true,
    stop: new AbortController().signal,
    ...more,
  }
  return draftQuestions(drafting, models).then((outcome) => ({ ...outcome, calls: models.calls.length }))
}

const mill = { question: 'Who built the mill?', answer: 'John Bell', evidence: 'was  built\nby John Bell.' }
/** Of the first document this, of every other nothing. */
const onlyOf =
  (text: string, reply: unknown) =>
  (input: DraftQuestionInput): unknown =>
    input.text === text && input.already.length === 0 ? reply : { question: '', answer: '', evidence: '' }

test('keeps a draft whose answer needs its evidence, with the evidence quoted as in the document', async () => {
  const { questions, attempts, leftOut } = await draftWith(onlyOf(texts[0] ?? '', mill), answering('It was John Bell'))
  expect(questions).toEqual([{ ...mill, evidence: 'was built by John Bell.', documentId: 'd0.txt' }])
  expect(leftOut).toEqual(attempts === 1 ? {} : { 'without a question, an answer or evidence': attempts - 1 })
})

const all = { count: 1, chunks: chunks.filter(({ documentId }) => documentId === 'd0.txt') }
const rain = { count: 1, chunks: chunks.filter(({ documentId }) => documentId === 'd2.txt') }

const isEmpty = 'without a question, an answer or evidence'
const severalPlaces = 'evidence that stands in several places of the document'

test.each<[string, unknown, FakeReply, Partial<Drafting>, string]>([
  ['an empty reply', { question: '', answer: '', evidence: '' }, answering(''), all, isEmpty],
  ['no answer', { ...mill, answer: 'Unanswerable.' }, answering(''), all, isEmpty],
  [
    'made-up evidence',
    { ...mill, evidence: 'John Bell did it.' },
    answering(''),
    all,
    'evidence that does not stand in the document',
  ],
  ['words that stand twice', { ...mill, evidence: 'Rain fell on Orrin.' }, answering(''), rain, severalPlaces],
  ['an answer that is not reached', mill, answering('Ada Pruett'), all, 'not answered from their evidence'],
  ['a known answer', mill, answering('John Bell', 'John Bell'), all, 'answered right without their evidence'],
  [
    'a text that the file cannot hold',
    mill,
    answering('John Bell'),
    { ...all, isWritable: () => false },
    'texts that the file cannot hold (white space around an id)',
  ],
  ['JSON of another shape', { topic: 'mills' }, answering('John Bell'), all, 'replies that could not be read'],
])('%s is left out and counted', async (_name, reply, answer, more, reason) => {
  const { questions, attempts, leftOut } = await draftWith(() => reply, answer, more)
  expect(questions).toEqual([])
  expect(attempts).toBe(3)
  // the same question once more is a repeated one
  expect(leftOut[reason]).toBeGreaterThan(0)
  expect(Object.values(leftOut).reduce((sum, count) => sum + count, 0)).toBe(3)
})

test('counts failed calls by kind, reports the first, and throws other errors', async () => {
  const failing = (kind: 'server' | 'refused') => () => {
    throw new ModelError(kind, `${kind}: no`)
  }
  expect(await draftWith(failing('refused'), answering(''))).toMatchObject({
    questions: [],
    attempts: 3,
    leftOut: { 'refused by the model': 3 },
    firstFailure: 'refused: no',
  })
  const { leftOut } = await draftWith(() => mill, failing('server'), all)
  expect(leftOut).toEqual({ 'calls that failed (server)': 1, 'asked already': 2 })
  await expect(
    draftWith(() => {
      throw new Error('a bug')
    }, answering('')),
  ).rejects.toThrow('a bug')
})

test('the prompt for a second draft lists the earlier drafts of the chunk, and case does not distinguish questions', async () => {
  const inputs: (readonly string[])[] = []
  await draftWith(
    (input) => {
      inputs.push(input.already)
      return { ...mill, question: inputs.length === 2 ? 'WHO built the mill' : mill.question }
    },
    answering('nobody'),
    all,
  )
  expect(inputs).toEqual([[], [mill.question], [mill.question, 'WHO built the mill']])
})

test('sends no call without a chunk; documents alternate, and short chunks are counted', async () => {
  expect(await draftWith(() => mill, answering(''), { chunks: [] })).toMatchObject({
    questions: [],
    attempts: 0,
    calls: 0,
  })
  const long = { id: 'long.txt', text: Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ') }
  const short = { id: 'short.txt', text: 'Too short.' }
  const result = sourceChunks([long, ...documents, short], { ...settings, size: 50 }, 7)
  expect(new Set(result.chunks.slice(0, 4).map(({ documentId }) => documentId)).size).toBe(4)
  expect(result.tooShort).toBe(1)
  expect(result).toEqual(sourceChunks([long, ...documents, short], { ...settings, size: 50 }, 7))
  expect(result.chunks).not.toEqual(sourceChunks([long, ...documents, short], { ...settings, size: 50 }, 8).chunks)
})
