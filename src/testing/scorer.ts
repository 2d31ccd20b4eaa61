import { isDeepStrictEqual } from 'node:util'
import { showsNoFraction } from '../basics/metrics.ts'
import { deepFreeze, isObject } from '../basics/plain-data.ts'
import { scoreFaults } from '../run/scoring/score-lines.ts'
import { describe } from '../text/validation-errors.ts'
import type { ContextPassage, Models, Reference, Score, Scorer, ScorerInput, ScorerNeeds } from '../types.ts'
import { offlineModels, recordTasks } from './fake-models.ts'
import { failure, plugInFindings, checkTasks } from './findings.ts'

export interface ScorerCase {
  /** Options as a config has them. */
  readonly options?: unknown
  /** New models for every scoring, alike each time: offline ones, or `fakeModels` for tasks that have no `offline`. */
  readonly models?: () => Models | Promise<Models>
  /** Answers of your own to score, besides those that every scorer is given. */
  readonly asked?: readonly ScorerInput[]
}

/**
 * Violations of the contract of a scorer, a line each: numbers within their range, or a reason, for every answer,
 * and determinism.
 */
export const scorerFindings = (
  scorer: Scorer,
  { options: optionValues = {}, models = offlineModels, asked: examples = [] }: ScorerCase = {},
): Promise<readonly string[]> =>
  plugInFindings('scorer', scorer, optionValues, async (options, report) => {
    const tasks = new Set<string>()
    const metrics = new Set<string>()
    // frozen, as in a run: a scorer that mutates its input fails
    const score = async (input: ScorerInput): Promise<Score> =>
      scorer.score(deepFreeze(input), recordTasks(await models(), tasks), deepFreeze(options))
    const needs = requiredInput(scorer.needs?.(options))
    for (const example of [...inputsOf(scorer.kinds), ...examples]) {
      const input = structuredClone({ ...needs, ...example })
      const { question, answer, context } = input
      const where = `answer ${describe(answer.text)}, kind "${question.reference.kind}", ${context.length} passages`
      try {
        const result = await score(input)
        for (const fault of scoreFaults(result, scorer)) report(`score() ${fault}`, where)
        if (!isObject(result)) continue
        for (const metric of metricsOf(result)) metrics.add(metric)
        if (!isDeepStrictEqual(result, await score(input)))
          report('gave another score the second time; take chance from models.random()', where)
      } catch (error) {
        report(...failure('score()', error, where))
      }
    }
    const columns = typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns
    for (const column of columns) {
      if (column.shown !== false && !metrics.has(column.metric))
        report(`shows the column "${column.metric}", and no score has this metric`)
      // static columns are checked with the fields
      if (columns !== scorer.columns && showsNoFraction(column, scorer.ranges))
        report(`the range of "${column.metric}" exceeds -1 to 1; give its column unit: 'number'`)
    }
    checkTasks(tasks, scorer.tasks ?? [], report)
  })

const metricsOf = (score: Score): readonly string[] => ('metrics' in score ? Object.keys(score.metrics) : [])

/** Correct, wrong, empty, canned and non-Latin answers, with several kinds of passages and without any. */
const inputsOf = (kinds: Scorer['kinds']): readonly ScorerInput[] =>
  references
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((reference) => contexts.map((context) => ({ reference, context })))
    .flatMap((pair) => answers.map((answer) => ({ ...pair, answer })))
    .flatMap(({ reference, ...rest }) => {
      const question = { id: 'q', text: 'Who purrs?', reference }
      return [
        { ...rest, question: { ...question, evidence: catsPurr }, relevant: ['cats:0'] },
        { ...rest, question: { ...question, evidence: [] }, relevant: [] },
        { ...rest, question },
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

/** The input from other trials for a scorer that needs it: opponents with an answer, a canned one, and none. */
export const requiredInput = (needs: ScorerNeeds = {}): Partial<typeof otherTrialInput> =>
  Object.fromEntries(Object.entries(otherTrialInput).filter(([name]) => Reflect.get(needs, name)))

const otherTrialInput: Required<Pick<ScorerInput, 'references' | 'opponents' | 'outcome'>> = {
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
