import { mulberry32 } from '../math/random.ts'
import type { Manifest, MethodRecord, ScoreLine, ScorerRecord, TrialLine } from '../records.ts'
import { drawSample, type SampledAnswer } from '../report/judge/draw-sample.ts'
import { checkJudge, type JudgeCheck } from '../report/judge/judge-check.ts'
import { judgedMetric } from '../report/judge/judged-rows.ts'
import { readLabels } from '../report/judge/read-labels.ts'
import { madeRun } from './made-run.ts'

const usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }

/** A scorer that asks a judge; its scores are 0 to 1. */
export const scorer: ScorerRecord = {
  id: 'j1',
  scorer: 'judged',
  use: 'judged',
  version: 1,
  options: {},
  kinds: ['answer'],
  judge: true,
  columns: [{ metric: 'right' }],
}
/** One that asks none. */
export const plainScorer: ScorerRecord = { ...scorer, id: 'f1', scorer: 'f1', use: 'squad', judge: false }

const method = (name: string, more: Partial<MethodRecord> = {}): MethodRecord => ({
  method: name,
  variant: '',
  id: `id-${name}`,
  use: name,
  options: {},
  ...more,
})

/** Two rows within the budget and a reference row. */
export const manifest: Manifest = {
  ...madeRun({ rows: {} }).manifest,
  methods: [method('good'), method('poor'), method('oracle', { context: 'unlimited' })],
  scorers: [plainScorer, scorer],
}

/** What an answer is worth to a person and to the judge. */
export interface Made {
  readonly row: string
  readonly question: number
  readonly human: number
  readonly judge: number | null
  readonly repeat?: number
  readonly cluster?: string
  readonly answer?: string
}

/** A results folder of these answers; the texts say neither row nor score. */
export function results(made: readonly Made[], of: Manifest = manifest) {
  const texts = made.map(({ answer }, i) => answer ?? `answer ${(i * 7919) % made.length}`)
  const question = ({ question: number, cluster }: Made) => ({
    id: `q${number}`,
    text: `Question ${number}?`,
    ...(cluster !== undefined && { cluster }),
    reference: { kind: 'answer' as const, accepted: [{ text: `reference ${number}` }] },
  })
  const ids = ({ row, question: number, repeat = 0 }: Made) => ({
    method: row,
    variant: '',
    methodId: `id-${row}`,
    repeat,
    trial: `${row}.${number}.${repeat}`,
  })
  const trials = made.map((spec, i): TrialLine => {
    const { trial, ...row } = ids(spec)
    const asked = { corpus: 'c', question: question(spec), context: [], stopped: 'end' as const }
    const answer = { text: texts[i] ?? '' }
    return { line: 'trial', id: trial, ...row, ...asked, answer, usage: { retrieve: usage, answer: usage } }
  })
  const scores = made.flatMap((spec): ScoreLine[] => {
    if (spec.judge === null) return []
    const { id, cluster } = question(spec)
    const shared = { ...ids(spec), question: id, scorer: 'judged', scorerId: 'j1', run: 0, subsets: [], usage }
    return [{ ...shared, ...(cluster !== undefined && { cluster }), metrics: { right: spec.judge } }]
  })
  const stream = <T>(lines: readonly T[]) =>
    async function* () {
      yield* lines
    }
  /** What a person says of a line of the sample. */
  const verdictOf = ({ answer, question: questionText }: Pick<SampledAnswer, 'answer' | 'question'>): number =>
    made.find((spec, i) => texts[i] === answer && questionText === `Question ${spec.question}?`)?.human ?? NaN
  return { manifest: of, journals: { trials: stream(trials), scores: stream(scores) }, verdictOf }
}

/** A results folder in memory. */
export type Folder = ReturnType<typeof results>

const settings = { size: 1000, seed: 1, context: false }

/** Its sample: of all questions, unless told otherwise. */
export const sampleOf = (
  { manifest: of, journals }: Folder,
  more: Partial<typeof settings & { methods: string[] }> = {},
) => drawSample(of, journals, scorer, { ...settings, ...more })

/** The file of a sample, filled in. */
export const fillLabels = (
  answers: readonly SampledAnswer[],
  verdict: (answer: SampledAnswer, i: number) => string | number,
): string =>
  answers.reduce(
    (lines, answer, i) => `${lines}${answer.ids.join(' ')},judged,${verdict(answer, i)}\n`,
    'id,scorer,verdict\n',
  )

/** The check of a folder against a file of labels. */
export async function check(folder: Folder, text: string, threshold?: number): Promise<JudgeCheck> {
  const labels = await readLabels('labels.csv', text, () => [0, 1])
  return checkJudge(folder.manifest, folder.journals, judgedMetric(scorer), labels, threshold)
}

/**
 * `good` is right in 80 % of the questions, `poor` in 40 %; the judge accepts 90 % of the right answers of both, and
 * half of the wrong ones.
 */
export function world(questions: number, seed: number, more: Partial<Made> = {}): Folder {
  const random = mulberry32(seed)
  const share = { good: 0.8, poor: 0.4 }
  return results(
    Array.from({ length: questions }, (_, question) =>
      (['good', 'poor'] as const).map((row): Made => {
        const human = random() < share[row] ? 1 : 0
        return { row, question, human, judge: random() < (human === 1 ? 0.9 : 0.5) ? 1 : 0, ...more }
      }),
    ).flat(),
  )
}
