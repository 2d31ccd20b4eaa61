import { mulberry32 } from '../math/random.ts'
import type { Manifest, MethodRecord, ScoreLine, ScorerRecord } from '../records.ts'
import { drawSample, type SampledAnswer } from '../report/judge/draw-sample.ts'
import { checkJudge, type JudgeCheck } from '../report/judge/judge-check.ts'
import { judgedMetric } from '../report/judge/judged-rows.ts'
import { readLabels } from '../report/judge/read-labels.ts'
import { journalsOf, madeRun, scoreLine, scorerRecord, trialLine } from './fake-run.ts'

/** A scorer that asks a judge; its scores are 0 to 1. */
export const scorer = scorerRecord('judged', { id: 'j1', judge: true, columns: [{ metric: 'right' }] })

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
    repeat,
    trial: `${row}.${number}.${repeat}`,
  })
  const trials = made.map((spec, i) => {
    const { trial, ...row } = ids(spec)
    const trialFields = { ...row, id: trial, question: question(spec), answer: { text: texts[i] ?? '' } }
    return trialLine(`id-${spec.row}`, question(spec).id, trialFields)
  })
  const scores = made.flatMap((spec): readonly ScoreLine[] => {
    if (spec.judge === null) return []
    const { id, cluster } = question(spec)
    const judged = { ...ids(spec), scorer: 'judged', scorerId: 'j1', metrics: { right: spec.judge } }
    return [scoreLine(`id-${spec.row}`, id, { ...judged, ...(cluster !== undefined && { cluster }) })]
  })
  /** What a person says of a line of the sample. */
  const verdictOf = ({ answer, question: questionText }: Pick<SampledAnswer, 'answer' | 'question'>): number =>
    made.find((spec, i) => texts[i] === answer && questionText === `Question ${spec.question}?`)?.human ?? NaN
  return { manifest: of, journals: journalsOf({ trials, scores }), verdictOf }
}

/** A results folder in memory. */
export type Folder = ReturnType<typeof results>

const settings = { size: 1000, seed: 1, context: false }

/** Its sample: of all questions, unless told otherwise. */
export const sampleOf = ({ manifest: of, journals }: Folder, more: Partial<typeof settings> = {}) =>
  drawSample(of, journals, scorer, { ...settings, ...more })

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
export async function check(folder: Folder, text: string): Promise<JudgeCheck> {
  const labels = await readLabels('labels.csv', text, () => [0, 1])
  return checkJudge(folder.manifest, folder.journals, judgedMetric(scorer), labels)
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
