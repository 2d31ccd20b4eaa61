import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { gather } from '../../testing/dataset.ts'
import type { Question } from '../../types.ts'
import { sample } from './sample.ts'

const folder = fileURLToPath(new URL('../../../datasets/sample', import.meta.url))
const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const registers = ['story', 'paper', 'manual', 'transcript', 'encyclopedia']
const defaults = sample.options.parse({})

const corpus = (await gather(sample.corpora(folder, defaults)))[0]!
const withTag = (tag: string): Question[] => corpus.questions.filter(({ tags }) => tags?.includes(tag))
const ofKind = (kind: string): Question[] => corpus.questions.filter(({ reference }) => reference.kind === kind)
const answers = corpus.questions.flatMap(({ id, reference, tags, evidence }) =>
  reference.kind === 'answer' ? [{ id, tags: tags ?? [], evidence, accepted: reference.accepted }] : [],
)
const textOf = new Map(corpus.documents.map(({ id, text }) => [id, text]))

describe('the documents of the sample', () => {
  test('are one corpus, sorted, with the questions as the last file', async () => {
    const files = (await sample.files(folder, defaults)).map((file) => basename(file))
    expect(files).toEqual([...corpus.documents.map(({ id }) => `${id}.md`), 'questions.jsonl'])
    expect(corpus.documents.map(({ id }) => id)).toEqual([...textOf.keys()].sort())
  })

  test('have 1500 to 3000 words, as the README states', () => {
    for (const { id, text } of corpus.documents) {
      const words = text.match(/\S+/g)!.length
      expect(words, id).toBeGreaterThanOrEqual(1500)
      expect(words, id).toBeLessThanOrEqual(3000)
      expect(rows(readme, id), id).toEqual([[`\`${id}\``, expect.any(String), String(words), expect.any(String)]])
    }
  })
})

describe('the questions of the sample', () => {
  test('have the counts that the README states', () => {
    const message = (name: string): number => Number(rows(readme, name)[0]?.[1])
    for (const kind of ['choice', 'answer']) expect(message(kind), kind).toBe(ofKind(kind).length)
    const tags = new Set(corpus.questions.flatMap((question) => question.tags ?? []))
    expect(tags).toEqual(new Set(['plain', 'hard', 'multi-hop', 'yes-no', 'unanswerable', ...registers]))
    for (const tag of tags) expect(message(tag), tag).toBe(withTag(tag).length)
    expect(readme).toContain(`and ${corpus.questions.length} questions about them`)
    const free = answers.filter(({ tags }) => !tags.includes('yes-no') && !tags.includes('unanswerable'))
    expect(readme).toContain(`${free.length} of them free`)
    for (const { id, accepted } of free) expect([2, 3], id).toContain(accepted.length)
  })

  test('have whole paragraphs as evidence, word for word', () => {
    for (const { id, evidence = [] } of corpus.questions)
      for (const { documentId, text } of evidence)
        expect(`${textOf.get(documentId)}\n`.includes(`\n\n${text}\n\n`), id).toBe(true)
  })

  test('extractive answers occur in their evidence, abstractive ones do not', () => {
    for (const { id, accepted } of answers)
      for (const { text, type, evidence = [] } of accepted) {
        const result = evidence.some((place) => place.text?.includes(text))
        if (type === 'extractive') expect(result, `${id}: ${text}`).toBe(true)
        if (type === 'abstractive') expect(result && text.split(' ').length > 1, `${id}: ${text}`).toBe(false)
      }
  })

  test('have evidence unless they are unanswerable', () => {
    const without = corpus.questions.filter(({ evidence }) => evidence?.length === 0)
    expect(without).toEqual(withTag('unanswerable'))
  })
})

/** The cells of every table row whose first cell is that name, plain or as code. */
function rows(markdown: string, name: string): string[][] {
  return markdown
    .split('\n')
    .filter((row) => row.startsWith('|'))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([first]) => first === name || first === `\`${name}\``)
}

test('kinds: summary makes one corpus and one summary question per document', async () => {
  const options = sample.options.parse({ kinds: 'summary' })
  const files = (await sample.files(folder, options)).map((file) => basename(file))
  expect(files).toEqual([...textOf.keys()].map((id) => `${id}.md`).concat('summaries.jsonl'))
  const corpora = await gather(sample.corpora(folder, options))
  expect(corpora.map(({ id, documents }) => [id, documents.map((document) => document.id)])).toEqual(
    [...textOf.keys()].map((id) => [id, [id]]),
  )
  for (const { id, questions } of corpora) {
    expect(questions).toHaveLength(1)
    expect(questions[0]).toMatchObject({ evidence: [{ documentId: id }], reference: { kind: 'summary' } })
    const { reference } = questions[0]!
    if (reference.kind === 'summary') expect(reference.accepted).toHaveLength(2)
  }
})
