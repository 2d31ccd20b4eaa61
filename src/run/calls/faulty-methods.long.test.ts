import { beforeAll, describe, expect, test } from 'vitest'
import { ran, type Ended } from '../../test-support/run-cli.ts'

const rows = ['bm25', 'random']
const ofRow = <L extends { readonly method: string }>(lines: readonly L[], row: string): readonly L[] =>
  lines.filter(({ method }) => method === row)

let alone: Ended
beforeAll(async () => {
  alone = await ran({}, { methods: rows })
  expect(alone.trials).toHaveLength(6)
})

/** The rows beside a plug-in's have the lines that they have without it. */
function expectOthersAsAlone({ trials, scores }: Ended): void {
  for (const row of rows) {
    expect(ofRow(trials, row)).toEqual(ofRow(alone.trials, row))
    expect(ofRow(scores, row)).toEqual(ofRow(alone.scores, row))
  }
}

/** The last word on each question: a failure is asked again when a run is begun again. */
const failuresOf = ({ trials }: Ended, row: string): readonly (string | undefined)[] => [
  ...new Map(ofRow(trials, row).map(({ question, failure }) => [question.id, failure?.message])).values(),
]

const retrieving = (body: string): string => `({ retrieve: async (query, budget, asking) => { ${body} } })`
const full = `[{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk' }]`
const passage = (fields: string): string =>
  `return [{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk', ${fields} }]`

/** A method, and what each of its trials fails with; undefined where it fails with nothing, and changes nothing. */
const faults: Readonly<Record<string, readonly [text: string, said: string | undefined]>> = {
  'sort-chunks': [
    `{ chunks.sort(() => -1); return { retrieve: async () => ${full} } }`,
    "index() changed what it was given, or another frozen object: Cannot assign to read only property '0' of object '[object Array]' (faulty.mjs:",
  ],
  'grow-budget': [
    retrieving(`budget.tokens = 1e9; return []`),
    "retrieve() changed what it was given, or another frozen object: Cannot assign to read only property 'tokens'",
  ],
  'change-query': [
    retrieving(`if (query.options) query.options.reverse(); query.text = ''; return []`),
    'retrieve() changed what it was given, or another frozen object: Cannot assign to read only property',
  ],
  'no-limit': [
    `({ limits: { tokens: NaN }, retrieve: async () => [] })`,
    'faulty: index() returned no valid index: "limits.tokens" must be a number, 0 or more',
  ],
  'change-vectors': [
    retrieving(
      `const [before] = await asking.embed([query.text]); before.fill(9); const [after] = await asking.embed([query.text]); if (after[0] === 9) throw new Error('changed'); return ${full}`,
    ),
    undefined,
  ],
  'forged-spans': [
    retrieving(
      passage(`text: chunks[0].text.slice(-5), spans: [{ documentId: chunks[0].documentId, start: -5, end: 1e6 }]`),
    ),
    'faulty returned a passage (number 1) of which "spans[0].start" must not be -5',
  ],
  'other-words': [
    retrieving(passage(`text: 'other', spans: [{ documentId: chunks[0].documentId, start: 0, end: 9 }]`)),
    'faulty returned a passage (number 1) whose words are not those of its "spans"',
  ],
  'throw-null': [retrieving('throw null'), 'retrieve() threw null'],
  'big-integer': [retrieving(passage('why: { n: 1n }')), 'its ranking cannot be written as JSON: Do not know how'],
  'extra-fields': [retrieving(passage('own: 1n, evidence: [0], relevant: ["x"], derived: true')), undefined],
  'big-warnings': [
    `({ retrieve: async () => [], warnings: () => ({ n: 1n }) })`,
    'faulty: warnings() cannot be written as JSON: Do not know how to serialize a BigInt',
  ],
  'never-ends': [
    retrieving('await new Promise(() => undefined)'),
    'retrieve() did not end within 4 s (limits.retrieveSeconds)',
  ],
}

describe('many faulty methods in one run', () => {
  let all: Ended
  beforeAll(async () => {
    const entries = Object.entries(faults).map(([name, [index]]) => `'${name}': (chunks, models, options) => ${index}`)
    const faulty = `import { z } from 'gembench'
      const faults = { ${entries.join(',\n')} }
      export const mine = { name: 'faulty', summary: '', options: z.strictObject({ fault: z.string(), list: z.array(z.number()).default([1]) }),
        index: async (chunks, models, options) => faults[options.fault](chunks, models, options) }`
    const sloppy = `exports.mine = { name: 'sloppy', summary: '', options: require('gembench').z.strictObject({}), index: async (chunks) => {
      chunks[0].text = 'other'; chunks.length = 1
      return { retrieve: async (query, budget) => { budget.tokens = 1e9; budget.passages = 99; query.text = ''
        return chunks.map((chunk) => ({ text: chunk.text, score: 1, from: [chunk.id], kind: 'chunk' })) } } } }`
    const rowsOfFaults = Object.keys(faults).map((fault) => ({ use: './faulty.mjs', label: fault, fault }))
    const methods = [...rowsOfFaults, './sloppy.js', ...rows]
    all = await ran({ 'faulty.mjs': faulty, 'sloppy.js': sloppy }, { methods, limits: { retrieveSeconds: 4 } })
  }, 600_000)

  test('the run prints its table and no stack trace', () => {
    expect(all.code).toBe(3)
    expect(all.err).not.toContain('    at ')
  })

  test('the other rows have the same bytes as alone', () => expectOthersAsAlone(all))

  test.each(Object.entries(faults))('only %s fails, with the reason', (name, [, message]) => {
    const failures = failuresOf(all, name)
    expect(failures).toHaveLength(3)
    for (const failure of failures)
      expect(failure).toEqual(message === undefined ? message : expect.stringContaining(message))
  })

  test('a passage loses fields that only a run may set', () => {
    for (const { context } of ofRow(all.trials, 'extra-fields')) {
      expect(context[0]).not.toHaveProperty('own')
      expect(context[0]).not.toHaveProperty('derived')
      expect(context[0]?.relevant ?? []).not.toContain('x')
    }
  })

  test('a refused write to the input changes nothing', () => {
    for (const { context, failure } of ofRow(all.trials, 'sloppy')) {
      expect(failure).toBeUndefined()
      expect(context.length).toBeLessThanOrEqual(2)
      expect(context[0]?.text).not.toBe('other')
    }
  })
})

test('an error outside any call is one counted line; timers and servers do not keep the process alive', async () => {
  const late = `import { z } from 'gembench'
    import { createServer } from 'node:http'
    export const late = { name: 'late', summary: '', options: z.strictObject({}), index: async (chunks) => {
      createServer().listen(0); setInterval(() => undefined, 50); setTimeout(() => { throw new Error('too late') })
      return { retrieve: async () => { await new Promise((done) => setTimeout(done, 500)); return [] } } } }`
  const outcome = await ran(
    { 'late.mjs': late },
    {
      methods: ['./late.mjs', ...rows],
      models: { complete: { use: 'fake', latencyMs: 100 }, embed: 'fake' },
      concurrency: 1,
    },
  )
  expect(outcome.code).toBe(3)
  expect(outcome.err).toMatch(/^failed outside every call: too late \(late\.mjs:4:\d+\); no row is changed\n$/)
  expect(failuresOf(outcome, 'late')).toEqual([undefined, undefined, undefined])
})
