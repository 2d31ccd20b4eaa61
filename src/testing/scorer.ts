import { isDeepStrictEqual } from 'node:util'
import { showsNoFraction } from '../basics/metrics.ts'
import { deepFreeze, isObject } from '../basics/plain-data.ts'
import { scoreFaults } from '../run/scoring/score-lines.ts'
import { describe } from '../text/validation-errors.ts'
import type { ContextPassage, Models, Reference, Score, Scorer, ScorerInput, ScorerNeeds } from '../types.ts'
import { usualModels, watchedModels } from './fake-models.ts'
import { failure, plugInFindings, taskRule, type Finding, type Rule } from './findings.ts'

export interface ScorerCase {
  /** Options as a config has them. */
  readonly options?: unknown
  /** New models for every scoring, alike each time: offline ones, or `fakeModels` for tasks that have no `offline`. */
  readonly models?: () => Models | Promise<Models>
  /** Answers of your own to score, besides those that every scorer is given. */
  readonly asked?: readonly ScorerInput[]
}

/**
 * What a scorer violates of its contract, a line each: numbers within their range for every answer, or why not, the
 * same each time.
 */
export function scorerFindings(scorer: Scorer, how: ScorerCase = {}): Promise<readonly string[]> {
  return plugInFindings('scorer', scorer, how.options ?? {}, rules, (options) => observe(scorer, options, how))
}

const rules: readonly Rule<Observed>[] = [
  {
    source: 'Scorer.score, Scorer.ranges',
    run: ({ failures }) => failures,
  },
  {
    source: 'Scorer.columns',
    *run({ scorer, options, scored }) {
      const columns = typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns
      const metrics = new Set(scored.flatMap(({ score }) => ('metrics' in score ? Object.keys(score.metrics) : [])))
      for (const column of columns) {
        if (column.shown !== false && !metrics.has(column.metric))
          yield { problem: `shows the column "${column.metric}", and no score has this metric` }
        // the fields have static columns checked
        if (columns !== scorer.columns && showsNoFraction(column, scorer.ranges))
          yield { problem: `the range of "${column.metric}" exceeds -1 to 1; give its column unit: 'number'` }
      }
    },
  },
  {
    source: 'Scorer.score',
    async *run({ scored, score }) {
      for (const { input, where, score: first } of scored)
        if (!isDeepStrictEqual(first, await score(input)))
          yield { problem: 'gave another score the second time; take chance from models.random()', where }
    },
  },
  taskRule,
]

type Observed = Awaited<ReturnType<typeof observe>>

async function observe(scorer: Scorer, options: unknown, { models = usualModels, asked = [] }: ScorerCase) {
  const tasks = new Set<string>()
  // frozen, as in a run: a scorer that changes what it is given fails
  const score = async (input: ScorerInput): Promise<Score> =>
    scorer.score(deepFreeze(input), watchedModels(await models(), tasks), deepFreeze(options))
  const needs = neededBy(scorer.needs?.(options))
  const scored: { readonly input: ScorerInput; readonly where: string; readonly score: Score }[] = []
  const failures: Finding[] = []
  for (const input of [...inputsOf(scorer.kinds), ...asked].map((one) => structuredClone({ ...needs, ...one }))) {
    const { question, answer, context } = input
    const where = `answer ${describe(answer.text)}, kind "${question.reference.kind}", ${context.length} passages`
    try {
      const given = await score(input)
      const faults = [...scoreFaults(given, scorer)]
      failures.push(...faults.map((fault) => ({ problem: `score() ${fault}`, where })))
      if (isObject(given)) scored.push({ input, where, score: given })
    } catch (error) {
      failures.push(failure('score()', error, where))
    }
  }
  return { scorer, options, tasks, declared: scorer.tasks ?? [], score, scored, failures }
}

/** Answers good, bad, empty, canned and in no known letters, with a context of several kinds and an empty one. */
const inputsOf = (kinds: Scorer['kinds']): readonly ScorerInput[] =>
  references
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((reference) => contexts.flatMap((context) => answers.map((answer) => ({ reference, context, answer }))))
    .flatMap(({ reference, ...given }) => {
      const question = { id: 'q', text: 'Who purrs?', reference }
      return [
        { ...given, question: { ...question, evidence: catsPurr }, relevant: ['cats:0'] },
        { ...given, question: { ...question, evidence: [] }, relevant: [] },
        { ...given, question },
      ]
    })

const catsPurr = [{ documentId: 'cats', text: 'Cats purr.' }]

const references: readonly Reference[] = [
  { kind: 'choice', options: ['cats', 'dogs', 'the', 'both'], correct: 0 },
  {
    kind: 'answer',
    accepted: [{ text: 'Cats', type: 'extractive', evidence: catsPurr }, { text: 'cats, and kittens' }],
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

const summary: ContextPassage = { ...chunk, kind: 'summary', derived: true, from: [], documents: [], evidence: [] }

const contexts = [[chunk, { ...chunk, from: ['dogs:0'], documents: ['dogs'], score: -1 }, summary], []]

/** What a run gives of other trials to a scorer that needs it: opponents with an answer, a fixed one, and none. */
export const neededBy = (needs: ScorerNeeds = {}): Partial<typeof ofOtherTrials> =>
  Object.fromEntries(Object.entries(ofOtherTrials).filter(([name]) => Reflect.get(needs, name)))

const ofOtherTrials: Required<Pick<ScorerInput, 'references' | 'opponents' | 'outcome'>> = {
  references: ['Cats purr.', 'Dogs bark.', ''],
  opponents: [
    { row: 'a', answer: { text: 'Cats purr, and dogs do not.', choice: 0 } },
    { row: 'b', answer: { text: 'Unanswerable', choice: null, canned: true } },
    { row: 'c' },
  ],
  outcome: {
    scores: [{ scorer: 'accuracy', value: 0 }],
    oracle: { scores: [{ scorer: 'accuracy', value: 1 }], answer: 'Cats purr.' },
    evidence: [{ context: 'none', ranking: 'whole' }],
    deep: true,
  },
}
