import { isDeepStrictEqual } from 'node:util'
import { showsNoFraction } from '../basics/metrics.ts'
import { once } from '../basics/memoise.ts'
import { frozen, isObject } from '../basics/plain-data.ts'
import { messageOf } from '../errors.ts'
import { checkScore } from '../run/scoring/score-lines.ts'
import { describe } from '../text/shape-faults.ts'
import type { ContextPassage, Models, Reference, Score, Scorer, ScorerInput, ScorerNeeds } from '../types.ts'
import { usualModels, watchedModels } from './fake-models.ts'
import { checksOf, failure, fieldRule, optionRule, parsedOptions, undeclaredTasks } from './rules.ts'
import type { Check, Finding, Rule } from './rules.ts'

export interface ScorerCase {
  /** Options as a config has them. */
  readonly options?: unknown
  /** New models for every scoring, alike each time: offline ones, or `fakeModels` for tasks that have no `offline`. */
  readonly models?: () => Models | Promise<Models>
  /** Answers of your own to score, besides those that every scorer is given. */
  readonly asked?: readonly ScorerInput[]
}

/**
 * The contract of a scorer as checks for any test framework: numbers within their range for every answer, or why not,
 * the same each time. `for (const { name, run } of scorerChecks(mine)) test(name, run)`
 */
export function scorerChecks(scorer: Scorer, how: ScorerCase = {}): readonly Check[] {
  const { options: given = {} } = how
  const label = `scorer "${scorer.name}"`
  const checks = checksOf(label, [fieldRule('scorer'), optionRule], () => ({ item: scorer, given }))
  const parsed = parsedOptions(scorer, given)
  if (!parsed || typeof scorer.score !== 'function' || !Array.isArray(scorer.kinds)) return checks
  return [
    ...checks,
    ...checksOf(
      label,
      rules,
      once(() => observe(scorer, parsed.options, how)),
    ),
  ]
}

const rules: readonly Rule<Observed>[] = [
  {
    name: 'scores every answer within its range, or reports why not',
    source: 'Scorer.score, Scorer.ranges',
    *run({ scorer, scored, failures }) {
      yield* failures
      for (const { score, where } of scored)
        for (const part of partsOf(score))
          try {
            checkScore(part, { label: 'score()', scorer })
          } catch (error) {
            yield { problem: messageOf(error), where }
          }
    },
  },
  {
    name: 'fills the columns that a table shows',
    source: 'Scorer.columns',
    *run({ scorer, options, scored }) {
      // the fields have static columns checked
      const isByOptions = typeof scorer.columns === 'function'
      const columns = typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns
      const metrics = new Set(scored.flatMap(({ score }) => Object.keys(metricsOf(score) ?? {})))
      for (const column of columns) {
        if (column.shown !== false && scored.length > 0 && !metrics.has(column.metric))
          yield { problem: `shows the column "${column.metric}", and no score has this metric` }
        if (isByOptions && showsNoFraction(column, scorer.ranges))
          yield { problem: `the range of "${column.metric}" exceeds -1 to 1; give its column unit: 'number'` }
      }
    },
  },
  {
    name: 'gives the same scores again',
    source: 'Scorer.score',
    async *run({ scored, score }) {
      for (const { input, where, score: first } of scored)
        if (!isDeepStrictEqual(first, await score(input)))
          yield { problem: 'gave another score the second time; take chance from models.random()', where }
    },
  },
  {
    name: 'runs only tasks that it declares',
    source: 'Scorer.tasks',
    run: ({ tasks, scorer }) => undeclaredTasks(tasks, scorer.tasks),
  },
]

type Observed = Awaited<ReturnType<typeof observe>>

async function observe(scorer: Scorer, options: unknown, { models = usualModels, asked = [] }: ScorerCase) {
  const tasks = new Set<string>()
  // frozen, as in a run: a scorer that changes what it is given fails
  const score = async (input: ScorerInput): Promise<Score> =>
    scorer.score(frozen(input), watchedModels(await models(), tasks), frozen(options))
  const needs = neededBy(scorer.needs?.(options))
  const scored: { readonly input: ScorerInput; readonly where: string; readonly score: Score }[] = []
  const failures: Finding[] = []
  for (const input of [...inputsOf(scorer.kinds), ...asked].map((one) => structuredClone({ ...needs, ...one }))) {
    const { question, answer, context } = input
    const where = `answer ${describe(answer.text)}, kind "${question.reference.kind}", ${context.length} passages`
    try {
      scored.push({ input, where, score: await score(input) })
    } catch (error) {
      failures.push(failure('score()', error, where))
    }
  }
  return { scorer, options, tasks, score, scored, failures }
}

/** A score apart from its metrics, and each of these alone, so that every wrong one is reported. */
function partsOf(score: unknown): readonly unknown[] {
  const metrics = metricsOf(score)
  if (!metrics) return [score]
  return [
    { ...Object(score), metrics: {} },
    ...Object.keys(metrics).map((name) => ({ metrics: { [name]: metrics[name] } })),
  ]
}

function metricsOf(score: unknown): Readonly<Record<string, unknown>> | undefined {
  const metrics = isObject(score) ? score['metrics'] : undefined
  return isObject(metrics) ? metrics : undefined
}

/** Answers good, bad, empty, canned and in no known letters, with contexts full, odd and empty. */
const inputsOf = (kinds: Scorer['kinds']): readonly ScorerInput[] =>
  references
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((reference) => supports.map((support) => ({ id: 'q', text: 'Who purrs?', reference, ...support })))
    .flatMap((question) =>
      contexts.flatMap((context) =>
        answers.map((answer) => ({
          question,
          context,
          answer,
          ...(question.evidence && { relevant: question.evidence.map(() => 'cats:0') }),
        })),
      ),
    )

const supports: readonly Pick<ScorerInput['question'], 'evidence'>[] = [
  { evidence: [{ documentId: 'cats', text: 'Cats purr.' }] },
  { evidence: [] },
  {},
]

const references: readonly Reference[] = [
  { kind: 'choice', options: ['cats', 'dogs', 'the', 'both'], correct: 0 },
  {
    kind: 'answer',
    accepted: [
      { text: 'Cats', type: 'extractive', evidence: [{ documentId: 'cats', text: 'Cats purr.' }] },
      { text: 'cats, and kittens', type: 'abstractive', evidence: [] },
    ],
  },
  { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable' }] },
  { kind: 'answer', accepted: [] },
  { kind: 'summary', accepted: ['Cats purr.\nDogs bark.', ''] },
  { kind: 'turn', accepted: 'Cats do.' },
]

const answers: readonly ScorerInput['answer'][] = [
  { text: 'Cats', choice: 0 },
  { text: 'dogs', choice: 1 },
  { text: '', choice: null },
  { text: 'Unanswerable', choice: null, canned: true },
  { text: '猫 \u0301\u0000 🐈 ...', choice: null },
]

const chunk: ContextPassage = {
  text: 'Cats purr.',
  score: 0.5,
  from: ['cats:0'],
  kind: 'chunk',
  tokens: 3,
  documents: ['cats'],
  spans: [{ documentId: 'cats', start: 0, end: 10 }],
  evidence: [0],
}

const contexts: readonly (readonly ContextPassage[])[] = [
  [chunk, { ...chunk, from: ['dogs:0'], documents: ['dogs'], evidence: [] }],
  [
    { ...chunk, kind: 'summary', derived: true, score: -1 },
    { ...chunk, kind: 'facts', from: [], documents: [] },
    chunk,
  ],
  [],
]

/** What a run gives of other trials to a scorer: opponents with an answer, a fixed one, and none. */
export const neededBy = ({ references: wanted, opponents, outcome }: ScorerNeeds = {}): Pick<
  ScorerInput,
  'references' | 'opponents' | 'outcome'
> => ({
  ...(outcome && {
    outcome: {
      scores: [{ scorer: 'accuracy', value: 0 }],
      oracle: { scores: [{ scorer: 'accuracy', value: 1 }], answer: 'Cats purr.' },
      evidence: [{ context: 'none' as const, ranking: 'whole' as const }],
      deep: true,
    },
  }),
  ...(wanted && { references: ['Cats purr.', 'Dogs bark.', ''] }),
  ...(opponents && {
    opponents: [
      { row: 'a', answer: { text: 'Cats purr, and dogs do not.', choice: 0 } },
      { row: 'b', answer: { text: 'Unanswerable', choice: null, canned: true } },
      { row: 'c' },
    ],
  }),
})
