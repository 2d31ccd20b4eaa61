import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failure, IndexLine, Manifest, MeterLine, ScoreLine, ScorerRecord, TrialLine } from '../records.ts'
import { estimate, type Cell } from '../report/gather/estimate.ts'
import { emptyRow } from '../report/gather/row-summary.ts'
import type { Journals } from '../report/gather/trials.ts'
import { noUsage, type UsageCell } from '../report/gather/usage.ts'
import { tableOf, type TableRow } from '../report/table/table.ts'
import type { Question } from '../types.ts'

/** What became of one repeat of a question: a score, one a judge run, or what else. */
export type MadeOutcome = number | readonly number[] | 'trial failed' | 'score failed' | 'declined'

/** What a run of one scorer is made of: outcomes by row, question and repeat. */
export interface MadeRun {
  readonly rows: Readonly<Record<string, Readonly<Record<string, MadeOutcome | readonly MadeOutcome[]>>>>
  /** Clusters by question. */
  readonly clusters?: Readonly<Record<string, string>>
  /** Texts by question; `Text of ID` where there is none. */
  readonly texts?: Readonly<Record<string, string>>
  readonly answer?: string
  readonly manifest?: Partial<Manifest>
}

const usage = noUsage
const model = { provider: 'fake', model: '', parameters: {} }

/**
 * The manifest and the lines of a run that was never made, as they would stand on disk: a scorer `accuracy` with one
 * metric of that name.
 */
export function madeRun({ rows, clusters = {}, texts = {}, answer = 'said', manifest = {} }: MadeRun): {
  readonly manifest: Manifest
  readonly trials: readonly TrialLine[]
  readonly scores: readonly ScoreLine[]
} {
  const trials: TrialLine[] = []
  const scores: ScoreLine[] = []
  for (const [method, outcomes] of Object.entries(rows)) {
    for (const [id, spec] of Object.entries(outcomes)) {
      const question: Question = {
        id,
        text: texts[id] ?? `Text of ${id}`,
        reference: { kind: 'answer', accepted: [{ text: `right of ${id}` }] },
        ...(clusters[id] !== undefined && { cluster: clusters[id] }),
      }
      repeatsOf(spec).forEach((outcome, repeat) => {
        const methodId = `id of ${method}`
        const hasFailed = outcome === 'trial failed'
        const reply = hasFailed ? { failure: failureIn('answer') } : { answer: { text: answer } }
        trials.push(trialLine(methodId, id, { id: `${method}.${id}.${repeat}`, method, repeat, question, ...reply }))
        if (hasFailed) return
        const cluster = clusters[id] !== undefined && { cluster: clusters[id] }
        const values = typeof outcome === 'object' ? outcome : [outcome]
        values.forEach((value, run) => {
          const scoring =
            value === 'declined'
              ? { skipped: 'not for this scorer' }
              : value === 'score failed'
                ? { failure: failureIn('judge') }
                : { metrics: { accuracy: value, words: 12 } }
          const trial = `${method}.${id}.${repeat}`
          scores.push(scoreLine(methodId, id, { trial, ...cluster, method, repeat, run, ...scoring }))
        })
      })
    }
  }
  const methods = Object.keys(rows).map((method) => ({
    method,
    variant: '',
    id: `id of ${method}`,
    use: method,
    options: {},
  }))
  return { manifest: { ...plainManifest, methods, ...manifest }, trials, scores }
}

/** A trial of a question without a context. */
export const trialLine = (methodId: string, question: string, more: Partial<TrialLine> = {}): TrialLine => ({
  line: 'trial',
  id: `${methodId}.${question}.${more.repeat ?? 0}`,
  method: '',
  variant: '',
  methodId,
  corpus: 'c',
  repeat: 0,
  question: { id: question, text: '', reference: { kind: 'answer', accepted: [] } },
  context: [],
  stopped: 'end',
  usage: { retrieve: usage, answer: usage },
  ...more,
})

/** The score of a trial by the scorer of made runs. */
export const scoreLine = (methodId: string, question: string, more: Partial<ScoreLine>): ScoreLine => ({
  trial: `${methodId}.${question}.${more.repeat ?? 0}`,
  question,
  method: '',
  variant: '',
  methodId,
  repeat: 0,
  scorer: 'accuracy',
  scorerId: 'acc1',
  run: 0,
  subsets: [],
  usage,
  ...more,
})

/** A cell of a table without a score. */
export const tableCell = (more: Partial<Cell>): Cell => ({
  ...estimate([], String),
  dataset: 'toy',
  method: 'bm25',
  variant: '',
  scorer: 'accuracy',
  metric: 'accuracy',
  subset: 'all',
  least: null,
  greatest: null,
  skipped: 0,
  failed: 0,
  ...more,
})

/** The usage of a row in a phase. */
export const usageCell = (method: string, phase: UsageCell['phase'], more: Partial<UsageCell>): UsageCell => {
  const row = { method, variant: '', phase, cached: 0, milliseconds: 0 }
  return { ...noUsage, ...row, ...more }
}

/** A row of a table without failures. */
export const tableRow = (method: string, more: Partial<TableRow>): TableRow => ({
  ...emptyRow,
  method,
  variant: '',
  failedScores: 0,
  scoreFailures: {},
  skipped: [],
  costs: { index: { tokens: 0 }, question: null, judge: null },
  ...more,
})

export const scorerRecord = (scorer: string, more: Partial<ScorerRecord> = {}): ScorerRecord => ({
  id: scorer,
  scorer,
  use: scorer,
  version: 1,
  options: {},
  kinds: ['answer'],
  judge: false,
  columns: [{ metric: scorer }],
  ...more,
})

/** The table of a made run, under a manifest that may be another. */
export async function madeTable(made: MadeRun, change: (manifest: Manifest) => Manifest = (manifest) => manifest) {
  const { manifest, trials, scores } = madeRun(made)
  const finalManifest = change(manifest)
  return { manifest: finalManifest, table: await tableOf(finalManifest, journalsOf({ trials, scores })) }
}

/** Journals of these lines, as a results folder gives them. */
export const journalsOf = ({ trials = [], scores = [], meter = [] }: LinesOfRun): Journals => ({
  trials: () => stream(trials),
  scores: () => stream(scores),
  timings: () => stream(meter),
})

/** Lines of so many indexes of every row, one a repeat. */
export const indexLines = ({ methods }: Manifest, countOf: (method: string) => number): readonly IndexLine[] =>
  methods.flatMap(({ id, method, variant }) =>
    Array.from({ length: countOf(method) }, (_, repeat): IndexLine => ({
      line: 'index',
      id: `${id} ${repeat}`,
      methodId: id,
      method,
      variant,
      corpus: 'c',
      documents: 1,
      chunks: 1,
      ...(repeat > 0 && { repeat }),
      usage,
    })),
  )

interface LinesOfRun {
  readonly trials?: readonly (IndexLine | TrialLine)[]
  readonly scores?: readonly ScoreLine[]
  readonly meter?: readonly MeterLine[]
}

async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
  yield* lines
}

/** Writes a made run as a results folder. */
export async function writeRun(folder: string, made: MadeRun): Promise<string> {
  const { manifest, trials, scores } = madeRun(made)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  for (const [name, lines] of Object.entries({ trials, scores }))
    await writeFile(join(folder, `${name}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return folder
}

/** Question ids `q0`, `q1`, … with what became of each. */
export const questionsWith = <T>(count: number, outcome: (index: number) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, outcome(index)]))

/** A list of repeats holds at least one list, or a word; a list of numbers is one repeat's judge runs. */
const repeatsOf = (outcome: MadeOutcome | readonly MadeOutcome[]): readonly MadeOutcome[] =>
  Array.isArray(outcome) && outcome.some((item) => typeof item !== 'number')
    ? (outcome as readonly MadeOutcome[])
    : [outcome as MadeOutcome]

const failureIn = (phase: Failure['phase']): Failure => ({
  phase,
  kind: 'server',
  message: `the ${phase} call was refused`,
})

const plainManifest: Omit<Manifest, 'methods'> = {
  format: 3,
  gembench: '0.0.0',
  name: 'made',
  hash: '00000000',
  config: {},
  git: null,
  versions: {},
  machine: {},
  seed: 42,
  repeats: 1,
  judgeRuns: 1,
  dataset: {
    name: 'toy',
    source: '',
    licence: '',
    checksum: 'a'.repeat(64),
    files: ['toy.jsonl'],
    corpora: 1,
    documents: 1,
    questions: 1,
    options: {},
  },
  answers: 'short',
  chunks: { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' },
  budget: { passages: 5, tokens: 1000 },
  models: { complete: model, embed: model, judge: model },
  offline: [],
  prompts: {},
  scorers: [
    scorerRecord('accuracy', { id: 'acc1', columns: [{ metric: 'accuracy' }, { metric: 'words', unit: 'number' }] }),
  ],
  started: '2026-01-01T00:00:00.000Z',
  finished: '2026-01-01T00:00:01.000Z',
}
