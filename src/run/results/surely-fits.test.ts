import { expect, test } from 'vitest'
import { z, type ZodType } from 'zod'
import { meterForm, scoresForm, trialsForm } from './result-forms.ts'
import { surelyFits } from './surely-fits.ts'

const usage = { calls: 1, promptTokens: 2.5, completionTokens: 0, embeddedTokens: 0, estimated: 0, cut: 1 }
const row = { method: 'bm25', variant: '', methodId: 'm' }
const failure = { phase: 'judge', kind: 'timeout', message: 'none', raw: '' }
const trial = {
  ...{ line: 'trial', id: 't', ...row, corpus: 'c', repeat: 0, relevant: ['c1'], grades: [0.5], asked: 5 },
  question: {
    ...{ id: 'q', text: 'Q?', reference: { kind: 'choice', options: ['a', 'b'], correct: 1 }, tags: ['hard'] },
    ...{ evidence: [{ documentId: 'd', start: 0 }], notRelevant: { c2: 1 }, roles: { asks: 'A', replies: 'B' } },
  },
  context: [
    {
      ...{ digest: 'x', score: -1, from: ['c1'], kind: 'chunk', tokens: 3, derived: true, why: { rank: { 1: null } } },
      spans: [{ documentId: 'd', start: 0, end: 4 }],
    },
  ],
  ...{
    beyond: [{ score: 0, from: [], kind: 'facts' }],
    evidence: [{ absent: true }, { context: 'part', ranking: 'none' }],
  },
  ...{ stopped: 'tokens', answer: { text: 'A', choice: null }, usage: { retrieve: usage, answer: usage } },
}
const index = {
  ...{ line: 'index', id: 'i', ...row, corpus: 'c', documents: 1, chunks: 2, usage, stats: { size: [1] } },
  ...{ calls: { ab: [1, 2, 3] }, warnings: { lost: 2 }, failure },
}
const score = {
  ...{ trial: 't', question: 'q', ...row, repeat: 0, scorer: 's', scorerId: 's', run: 0, subsets: ['hard'], usage },
  ...{ metrics: { f1: 0.5 }, parts: { claims: [] } },
}
const lines: readonly (readonly [string, ZodType, object])[] = [
  ['a trial', trialsForm, trial],
  ['an index', trialsForm, index],
  ['a score', scoresForm, score],
  ['a failed score', scoresForm, { ...score, metrics: undefined, failure }],
  ['what the machine did', meterForm, { method: 'a', variant: '', phase: 'index', cached: 0, milliseconds: 0.5 }],
]

test.each(lines)('%s that its form takes surely fits', (_name, form, line) => {
  expect(form.safeParse(line).success).toBe(true)
  expect(surelyFits(form)(line)).toBe(true)
})

test.each(lines)('of %s with one wrong value nothing surely fits that its form refuses', (_name, form, line) => {
  const changed = [...changes(line)]
  const refused = changed.filter((value) => !form.safeParse(value).success)
  expect(refused.length).toBeGreaterThan(changed.length / 3)
  expect(refused.filter(surelyFits(form))).toEqual([])
})

/** A value with each of its parts, one at a time, left out, or another thing; and with a part that no form knows. */
function* changes(value: unknown): Generator {
  yield* [undefined, null, true, '', 'other', 0, -1, 0.5, NaN, Infinity, 2 ** 53, [], [null], {}, { more: null }]
  if (Array.isArray(value))
    for (const [at, part] of value.entries()) for (const other of changes(part)) yield value.with(at, other)
  else if (typeof value === 'object' && value !== null) {
    yield { ...value, more: 1 }
    for (const [key, part] of Object.entries(value)) for (const other of changes(part)) yield { ...value, [key]: other }
  }
}

test.each<[string, ZodType, unknown]>([
  ['a text of a form', z.email(), 'a@b.cc'],
  ['a text with a check', z.string().min(1), 'a'],
  ['a small number', z.int().max(3), 2],
  ['an object without more keys', z.strictObject({ a: z.string() }), { a: '' }],
  ['a value that is changed', z.string().transform(Number), '1'],
  ['a list that is not empty', z.array(z.string()).min(1), ['a']],
])('%s is left to its form', (_name, form, value) => {
  expect(form.safeParse(value).success).toBe(true)
  expect(surelyFits(form)(value)).toBe(false)
})
