import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { gather } from '../../testing/dataset.ts'
import type { Corpus } from '../../types.ts'
import { sample } from './sample.ts'

const readme = readFileSync(new URL('../../../datasets/sample/README.md', import.meta.url), 'utf8')

const read = async (path: string, options: object = {}): Promise<Corpus> =>
  (await gather(sample.corpora(path, sample.options.parse(options))))[0]!

describe('a folder in the format of the sample', () => {
  test('loads like the README shows', async () => {
    const [, mill = '', questions = ''] = [...readme.matchAll(/```(?:yaml|text)\n([^]*?)```/g)].map(
      ([, block]) => block,
    )
    const { documents, questions: request } = await read(copyWith({ mill }, questions))
    expect(documents).toEqual([{ id: 'mill', title: 'The Mill', text: mill }])
    expect(request.map(({ id, evidence }) => [id, evidence?.map(({ text }) => text)])).toEqual([
      ['choice-1', ['It burned in 1788. The wheel was saved and turned for another century.']],
      ['answer-1', ['The mill at Brend was built by Ada Lorn in 1702.']],
      ['answer-2', ['It burned in 1788. The wheel was saved and turned for another century.']],
      ['answer-3', []],
    ])
    expect(request[0]?.reference).toEqual({ kind: 'choice', options: ['the roof', 'the wheel'], correct: 1 })
  })

  test('the evidence of an annotator joins that of the question, or is that of the question', async () => {
    const [item, two] = [place('One fish'), place('Two fish')]
    const answers = [
      { type: 'extractive', text: 'One' },
      { type: 'extractive', text: 'Two', evidence: [two] },
      { type: 'unanswerable', text: 'Unanswerable' },
    ]
    const { questions } = await read(copyWith({ pond }, line({ accepted: answers, evidence: [item] })))
    const [first, second] = ['One fish swims.', 'Two fish\nswim.'].map((text) => ({
      documentId: 'pond',
      text,
      start: pond.indexOf(text),
    }))
    expect(questions[0]?.evidence).toEqual([first, second])
    const { reference } = questions[0]!
    const ownRun = reference.kind === 'answer' && reference.accepted.map(({ evidence }) => evidence)
    expect(ownRun).toEqual([[first], [second], []])
  })

  test('reads one kind of question alone', async () => {
    const choice = line({ id: 'b', kind: 'choice', accepted: undefined, options: ['x', 'y'], correct: 1 })
    const path = copyWith({ pond }, `${line({})}\n${choice}`)
    expect((await read(path)).questions.map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await read(path, { kinds: 'choice' })).questions.map(({ id }) => id)).toEqual(['b'])
    expect((await read(path, { kinds: 'answer' })).questions.map(({ id }) => id)).toEqual(['a'])
    await expect(read(copyWith({ pond }, line({})), { kinds: 'choice' })).rejects.toThrow('contains no questions')
  })
})

describe('names malformed input by file and line', () => {
  const cases: readonly (readonly [string, object | string, string])[] = [
    ['broken JSON', '{"id" "b"}', ':2'],
    ['an unknown field', { hint: 'x' }, 'hint'],
    ['a missing field', { question: undefined }, 'lacks "question"'],
    ['an unknown kind', { kind: 'essay' }, 'kind'],
    ['an empty question', { question: ' ' }, 'is empty'],
    ['no answer', { accepted: [] }, 'accepted'],
    ['neither yes nor no', { accepted: [{ type: 'boolean', text: 'Perhaps' }] }, 'accepted'],
    ['an unknown document', { evidence: [{ document: 'pont', paragraph: 'One' }] }, 'did you mean "pond"?'],
    [
      'a paragraph that is not there',
      { evidence: [place('Three fish')] },
      'no paragraph of "pond" begins "Three fish"',
    ],
    ['a paragraph in two places', { evidence: [place('Same')] }, 'more than one paragraph of "pond" begins "Same"'],
    ['a choice counted from 0', { ...choiceOf(0) }, 'correct'],
  ]
  test.each(cases)('%s', async (_name, second, complaint) => {
    const bad = typeof second === 'string' ? second : line({ id: 'b', ...second })
    const path = copyWith({ pond }, `${line({})}\n${bad}\n`)
    const error: unknown = await read(path).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'UserError' })
    expect(String(error)).toContain(`${join(path, 'questions.jsonl')}:2`)
    expect(String(error)).toContain(complaint)
    expect(String(error)).not.toContain('\n')
  })

  test('reports a document without a title', async () => {
    await expect(read(copyWith({ pond: 'One fish swims.' }, line({})))).rejects.toThrow(/pond\.md:1: .*"# Title"/)
  })

  test('reports a folder without documents or without questions', async () => {
    await expect(read(copyWith({}, line({})))).rejects.toThrow(/documents: contains no \.md file/)
    await expect(read(copyWith({ pond }))).rejects.toThrow(/questions\.jsonl: no such file/)
  })
})

const pond = '# Pond\n\nOne fish swims.\n\nTwo fish\nswim.\n\nSame here.\n\nSame there.\n'

function place(paragraph: string): object {
  return { document: 'pond', paragraph }
}

function choiceOf(correct: number): object {
  return { kind: 'choice', accepted: undefined, options: ['x', 'y'], correct }
}

/** A sound line, but for what is given; a field given as undefined is left out. */
function line(fields: object): string {
  const answers = [{ type: 'extractive', text: 'One' }]
  return JSON.stringify({
    id: 'a',
    kind: 'answer',
    question: 'How many?',
    accepted: answers,
    evidence: [place('One fish')],
    ...fields,
  })
}

function copyWith(documents: Readonly<Record<string, string>>, questions?: string): string {
  const texts = Object.entries(documents).map(([id, text]) => [`documents/${id}.md`, text] as const)
  const files = { 'documents/notes.txt': '', ...Object.fromEntries(texts) }
  return folderOf(questions === undefined ? files : { ...files, 'questions.jsonl': questions })
}
