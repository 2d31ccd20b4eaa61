import { beforeAll, describe, expect, test } from 'vitest'
import type { ScoreLine } from '../../records.ts'
import { ran, type Ended } from '../../test-support/run-cli.ts'

const rows = ['bm25', 'random']

describe('many faulty scorers in one run', () => {
  const faults: Readonly<Record<string, readonly [body: string, said: string]>> = {
    'right-for-all': [
      'asked.answer.choice = asked.question.reference.correct; return { metrics: { m: 1 } }',
      'score() changed what it was given, or another frozen object: Cannot add property choice',
    ],
    'other-context': [
      'asked.context.length = 0; return { metrics: { m: 1 } }',
      'score() changed what it was given, or another frozen object: Cannot assign to read only property',
    ],
    'out-of-range': ['return { metrics: { m: 600 } }', 'gave m = 600, outside 0 to 1: give fractions, or state'],
    'big-part': ['return { metrics: { m: 1 }, parts: { n: 1n } }', 'its score cannot be written as JSON'],
    'never-ends': ['await new Promise(() => undefined)', 'score() did not end within 4 s (limits.scoreSeconds)'],
  }
  let alone: Ended
  let all: Ended
  beforeAll(async () => {
    alone = await ran({}, { methods: rows })
    const bodies = Object.entries(faults).map(([name, [body]]) => `'${name}': async (asked) => { ${body} }`)
    const judge = `import { z } from 'gembench'
      const faults = { ${bodies.join(',\n')} }
      export const mine = { name: 'judge', summary: '', options: z.strictObject({ fault: z.string() }), version: 1, source: '', kinds: ['answer'], columns: [{ metric: 'm' }],
        score: (asked, models, { fault }) => faults[fault](asked) }`
    const scorers = [
      ...Object.keys(faults).map((fault) => ({ use: './judge.mjs', label: fault, fault })),
      ...['accuracy', 'qasper-f1', 'retrieval', 'squad'],
    ]
    all = await ran({ 'judge.mjs': judge }, { methods: rows, scorers, limits: { scoreSeconds: 4 } })
  }, 300_000)

  test('other scorers have the same scores as without the faulty ones', () => {
    expect(all.code).toBe(3)
    expect(all.err).not.toContain('    at ')
    const rest = ({ scores }: Ended): readonly ScoreLine[] => scores.filter(({ scorer }) => !(scorer in faults))
    expect(rest(all)).toEqual(rest(alone))
    expect(all.trials).toEqual(alone.trials)
  })

  test.each(Object.entries(faults))('only %s fails, with the reason', (name, [, message]) => {
    const failures = all.scores.filter(({ scorer }) => scorer === name).map(({ failure }) => failure?.message)
    expect(failures).toHaveLength(4)
    for (const failure of failures) expect(failure).toContain(message)
  })
})

const dataset = (body: string): string => `import { z } from 'gembench'
  export const mine = { name: 'mine', summary: '', options: z.strictObject({ list: z.array(z.number()).default([1]) }), source: '', licence: '',
    evidence: false, files: async () => [import.meta.filename],
    async *corpora(path, options) { ${body} } }`
const corpus = (id: string): string =>
  `{ id: '${id}', documents: [{ id: 'd', text: 'The mill was built by Tamsin Vale.' }], questions: [{ id: 'q${id}', text: 'Who built the mill?', reference: { kind: 'answer', accepted: [{ text: 'Tamsin Vale' }] } }] }`

test.each([
  ['options.list.push(2)', 'corpora() failed: corpora() changed what it was given, or another frozen object'],
  [`yield { ...${corpus('a')}, documents: [{ id: 'd', text: 1n }] }`, 'Do not know how to serialize a BigInt'],
])('a dataset that does %s is one line, and no run', async (body, message) => {
  const outcome = ran({ 'mine.mjs': dataset(body) }, { dataset: { use: './mine.mjs' }, methods: rows })
  await expect(outcome).rejects.toThrow(message)
  await expect(outcome).rejects.toThrow(/^exit 2\n/)
  await expect(outcome).rejects.not.toThrow('    at ')
})

test('a dataset that changes its objects after yielding them changes no result', async () => {
  const changing = `const first = ${corpus('a')}; yield first; first.documents[0].text = ''; first.questions[0].text = ''; yield ${corpus('b')}`
  const [calm, change] = await Promise.all(
    [`yield ${corpus('a')}; yield ${corpus('b')}`, changing].map((body) =>
      ran({ 'mine.mjs': dataset(body) }, { dataset: { use: './mine.mjs' }, methods: rows }),
    ),
  )
  expect(change?.code).toBe(0)
  expect(change?.trials.length).toBe(4)
  expect(change?.trials).toEqual(calm?.trials)
})
