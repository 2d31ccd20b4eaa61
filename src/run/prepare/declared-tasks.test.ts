import { beforeAll, describe, expect, test } from 'vitest'
import { answerTasks } from '../../answering/index.ts'
import { methods } from '../../methods/index.ts'
import { tasksOf } from '../../basics/tasks-of.ts'
import { createMeter, inMemoryCache, openModels, type OpenedModels } from '../../models/index.ts'
import { scorers } from '../../scorers/index.ts'
import { tasks } from '../../tasks/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import { neededBy } from '../../testing/scorer-inputs.ts'
import type { AnyTask, Corpus, Models, Phase, Reference } from '../../types.ts'
import { chunkCorpus } from '../asking/chunk-corpus.ts'
import { checkIndex } from '../asking/check-index.ts'
import { retrieve } from '../asking/retrieve.ts'
import { checkScore } from '../scoring/check-score.ts'

const [everyMethod, everyScorer] = await Promise.all([methods.all(), scorers.all()])

let opened: OpenedModels
beforeAll(async () => {
  const { signal } = new AbortController()
  const context = { cache: inMemoryCache(), tokenizer: tokenizer('o200k_base'), cacheFolder: '', signal }
  const [offline, embed] = [
    { use: 'extractive', options: {} },
    { use: 'fake', options: {} },
  ]
  opened = await openModels({ complete: offline, judge: offline, embed }, context)
})

/** The models offline, with the names of the tasks that were run. */
function recording(phase: Phase, asked: Set<string>): Models {
  const models = opened.scope({ phase, sample: 0, seed: [1], meter: createMeter() })
  return { ...models, run: (task, input) => (asked.add(task.name), models.run(task, input)) }
}

const namesOf = (declared: readonly AnyTask[] = []): readonly string[] => declared.map(({ name }) => name).sort()

const people = ['Tamsin Vale', 'Edric Sloe', 'Maud Sloe', 'Robert Stevenson', 'John Bell', 'Ada Byron']
const text = people
  .map(
    (name, at) =>
      `${name}, the keeper of the mill at Orrin, built the weir of Lisk in 18${at}1. ${name} moved to Harrowgate.`,
  )
  .join('\n\n')
const corpus: Corpus = { id: 'c', documents: [{ id: 'd', text: `${text}\n\n${text}` }], questions: [] }

/** A tree over so short a text needs small leaves. */
const optionsOf: Readonly<Record<string, object>> = {
  command: { run: [process.execPath, 'src/test-support/program.js', 'models'] },
  raptor: { scope: 'corpus', chunkTokens: 12, reducer: 'none', reductionDimension: 2 },
}

/** Options that are tried too, where a method runs other tasks with them. */
const alsoOf: Readonly<Record<string, readonly object[]>> = {
  graphrag: [{ maxGleanings: 2 }, { mode: 'global', dynamicSelection: true }, { mode: 'drift' }],
}

describe('methods declare every task that they run', () => {
  test.each(everyMethod)('$name', async (method) => {
    const chunked = chunkCorpus(corpus, { size: 40, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' })
    const asked = new Set<string>()
    for (const given of [optionsOf[method.name] ?? {}, ...(alsoOf[method.name] ?? [])]) {
      const options: unknown = method.options.parse(given)
      const index = checkIndex(await method.index(chunked.chunks, recording('index', asked), options), method.name)
      const query = { id: 'q', text: 'Who built the weir of Lisk?', evidence: [{ documentId: 'd' }] }
      // sorted, or it throws
      const limits = { passages: 5, tokens: 500 }
      await retrieve(query, { method, index, chunked }, limits, recording('retrieve', asked))
      await index.close?.()
    }
    const declared = namesOf(tasksOf(method, method.options.parse(optionsOf[method.name] ?? {})))
    expect(declared).toEqual(expect.arrayContaining([...asked]))
    // descriptions as long as this one is shortened from are rare; the other needs an option that is not the default
    expect([...asked, 'shorten-description', 'relate-subjects']).toEqual(expect.arrayContaining([...declared]))
  })
})

describe('methods declare whether their index embeds the chunks', () => {
  // what a program embeds is not known before it runs
  const known = everyMethod.filter(({ name }) => name !== 'command')
  const cases = known.map((method) => ({ method, options: optionsOf[method.name] ?? {} }))
  const hipporag = everyMethod.filter(({ name }) => name === 'hipporag')
  const both = [...cases, ...hipporag.map((method) => ({ method, options: { ensemble: true } }))]
  test.each(both)('$method.name $options', async ({ method, options: given }) => {
    const { chunks } = chunkCorpus(corpus, { size: 40, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' })
    const embedded = new Set<string>()
    const models = opened.scope({ phase: 'index', sample: 0, seed: [1], meter: createMeter() })
    const options: unknown = method.options.parse(given)
    await method.index(
      chunks,
      { ...models, embed: (texts, role) => (texts.forEach((text) => embedded.add(text)), models.embed(texts, role)) },
      options,
    )
    expect(chunks.some((chunk) => embedded.has(chunk.text))).toBe(method.embedsChunks?.(options) ?? false)
  })
})

describe('scorers declare every task that they run, and keep to their ranges', () => {
  const references: readonly Reference[] = [
    { kind: 'choice', options: ['Tamsin Vale', 'Nobody'], correct: 0 },
    { kind: 'answer', accepted: [{ text: 'Tamsin Vale built the weir of Lisk.' }] },
    { kind: 'summary', accepted: ['Tamsin Vale built the weir of Lisk.'] },
    { kind: 'turn', accepted: 'Tamsin Vale built the weir of Lisk.' },
  ]
  test.each(everyScorer)('$name', async (scorer) => {
    const asked = new Set<string>()
    for (const reference of references.filter(({ kind }) => scorer.kinds.includes(kind))) {
      const passage = { text, score: 1, from: ['d#0'], kind: 'chunk', tokens: 9, documents: ['d'], spans: [] } as const
      const input = {
        question: { id: 'q', text: 'Who built the weir of Lisk?', reference, evidence: [{ documentId: 'd' }] },
        context: [{ ...passage, evidence: [0], paragraphs: [] }],
        answer: { text: 'Tamsin Vale built the weir of Lisk in 1801.', choice: 1 },
        relevant: ['d#0'],
        ...neededBy(scorer.needs?.(scorer.options.parse({}))),
      }
      const score = await scorer.score(input, recording('judge', asked), scorer.options.parse({}))
      checkScore(score, { label: scorer.name, scorer })
    }
    expect([...asked].sort()).toEqual(namesOf(scorer.tasks))
  })
})

test('the offline provider can do every task of ours', () => {
  const declared = [...everyMethod, ...everyScorer].flatMap((item) =>
    tasksOf(item, item.options.parse(optionsOf[item.name] ?? {})),
  )
  for (const task of [...Object.values(answerTasks), ...tasks, ...declared])
    expect(opened.refusal('answer', task)).toBeUndefined()
})
