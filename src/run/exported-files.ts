import type { ColumnSource } from 'hyparquet-writer'
import { trecOrder } from '../math/trec-order.ts'
import type { Manifest, ScoreLine, TrialLine } from '../records.ts'
import type { Results } from './results/results.ts'
import { rowName } from '../text/names.ts'
import { chunkGrades, chunkRun, documentGrades, documentRun, whyNoEvidence } from '../scorers/retrieval.ts'
import { isObject } from '../basics/plain-data.ts'

/**
 * The contexts or, without answers, the rankings of a run in the form of TREC: `qrels.txt`, and a run file for each row
 * and repeat. Units are those of the first scorer `retrieval`; ids of our own begin with `!`.
 */
export async function trecFiles(manifest: Manifest, { trials }: Pick<Results, 'trials'>) {
  const rankingRows = manifest.methods.filter(({ ranks, context }) => ranks !== false && context === undefined)
  const rows = new Map(rankingRows.map((row) => [row.id, { name: rowName(row), repeats: [] as string[][] }]))
  const unit = unitOf(manifest)
  const qrels = new Map<string, readonly string[]>()
  for await (const trial of trials()) {
    const row = rows.get(trial.methodId)
    if (trial.line !== 'trial' || !row || trial.failure) continue
    if (whyNoEvidence(trial.question) !== undefined) continue
    const relevant = unit === 'document' ? documentGrades(trial.question) : chunkGrades(trial)
    const grades = new Map([...relevant, ...Object.entries(trial.question.notRelevant ?? {})])
    if (grades.size === 0) continue
    const query = wordOf(trial.question.id)
    qrels.set(
      query,
      Array.from(grades, ([id, grade]) => `${query} 0 ${wordOf(id)} ${grade}\n`),
    )
    const lines = (row.repeats[trial.repeat] ??= [])
    lines.push(...linesOf(query, trial, unit, wordOf(row.name)))
  }
  return [
    { name: 'qrels.txt', content: [...qrels.values()].flat().join('') },
    ...[...rows.values()].flatMap(({ name, repeats }) =>
      repeats.map((lines, repeat) => ({
        name: `${fileNameOf(name)}${repeat > 0 ? `-repeat-${repeat + 1}` : ''}.run`,
        content: lines.join(''),
      })),
    ),
  ]
}

type Unit = 'chunk' | 'document'

/** What the first scorer `retrieval` counts; its option has a default. */
function unitOf({ scorers }: Pick<Manifest, 'scorers'>): Unit {
  const { options } = scorers.find(({ use }) => use === 'retrieval') ?? {}
  return isObject(options) && options.unit === 'document' ? 'document' : 'chunk'
}

function linesOf(query: string, trial: TrialLine, unit: Unit, tag: string): string[] {
  const { context, beyond: rest = [], answer, relevant = [] } = trial
  const ranking = answer ? context : [...context, ...rest]
  const order = trecOrder(unit === 'document' ? documentRun(ranking) : chunkRun(ranking, relevant))
  const all = order.length > 0 ? order : [{ id: '!nothing', score: 0 }]
  return all.map(
    // trec_eval reads scores as 32-bit floats
    ({ id, score }, rank) => `${query} Q0 ${wordOf(id)} ${rank + 1} ${String(Math.fround(score))} ${tag}\n`,
  )
}

/** Fields are separated by white space; ids of our own begin with a character that no file may hold. */
const wordOf = (text: string) => text.replace(/^\0/, '!').replace(/\s/g, '_')

/** A name that every file system takes. */
const fileNameOf = (name: string) => name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|-+$/g, '') || 'row'

/**
 * `trials.parquet`, a row a trial, what is nested as JSON; `scores.parquet`, a row a metric or reason. All in memory.
 */
export async function parquetFiles(
  { methods, scorers }: Manifest,
  { trials, scores }: Pick<Results, 'trials' | 'scores'>,
) {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const rows = new Set(methods.map(({ id }) => id))
  const scorerIds = new Set(scorers.map(({ id }) => id))
  const trialRows: TrialLine[] = []
  for await (const line of trials()) {
    if (line.line === 'trial' && rows.has(line.methodId)) trialRows.push(line)
  }
  const scoreRows: ScoredRow[] = []
  for await (const line of scores())
    if (rows.has(line.methodId) && scorerIds.has(line.scorerId)) scoreRows.push(...scoreRowsOf(line))
  const fileOf = (name: string, columnData: ColumnSource[]) => ({
    name,
    content: new Uint8Array(parquetWriteBuffer({ columnData })),
  })
  return [
    fileOf('trials.parquet', columnsOf(trialRows, trialColumns)),
    fileOf('scores.parquet', columnsOf(scoreRows, scoreColumns)),
  ]
}

type Kind = 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN'

type Columns<T> = Readonly<Record<string, readonly [type: Kind, valueOf: (row: T) => unknown]>>

const columnsOf = <T>(rows: readonly T[], columns: Columns<T>): ColumnSource[] =>
  Object.entries(columns).map(([name, [type, valueOf]]) => ({
    name,
    type,
    nullable: true,
    data: rows.map((row) => valueOf(row) ?? null),
  }))

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

const trialColumns: Columns<TrialLine> = {
  trial: ['STRING', ({ id }) => id],
  method: ['STRING', ({ method }) => method],
  variant: ['STRING', ({ variant }) => variant],
  corpus: ['STRING', ({ corpus }) => corpus],
  repeat: ['INT32', ({ repeat }) => repeat],
  question: ['STRING', ({ question }) => question.id],
  text: ['STRING', ({ question }) => question.text],
  kind: ['STRING', ({ question }) => question.reference.kind],
  reference: ['STRING', ({ question }) => json(question.reference)],
  answer: ['STRING', ({ answer }) => answer?.text],
  choice: ['INT32', ({ answer }) => answer?.choice],
  canned: ['BOOLEAN', ({ answer }) => answer && answer.canned === true],
  failure: ['STRING', ({ failure }) => failure && `${failure.phase}: ${failure.message}`],
  stopped: ['STRING', ({ stopped }) => stopped],
  passages: ['INT32', ({ context }) => context.length],
  contextTokens: ['INT32', ({ context }) => context.reduce((sum, { tokens }) => sum + tokens, 0)],
  context: ['STRING', ({ context }) => json(context)],
  beyond: ['STRING', ({ beyond }) => json(beyond)],
  relevant: ['STRING', ({ relevant }) => json(relevant)],
  calls: ['INT32', ({ usage }) => usage.retrieve.calls + usage.answer.calls],
  promptTokens: ['INT32', ({ usage }) => usage.retrieve.promptTokens + usage.answer.promptTokens],
  completionTokens: ['INT32', ({ usage }) => usage.retrieve.completionTokens + usage.answer.completionTokens],
}

interface ScoredRow {
  readonly line: ScoreLine
  readonly metric?: string
  readonly value?: number
}

function scoreRowsOf(line: ScoreLine): readonly ScoredRow[] {
  if (!line.metrics) return [{ line }]
  return Object.entries(line.metrics).map(([metric, value]) => ({ line, metric, value }))
}

const scoreColumns: Columns<ScoredRow> = {
  trial: ['STRING', ({ line }) => line.trial],
  question: ['STRING', ({ line }) => line.question],
  cluster: ['STRING', ({ line }) => line.cluster],
  method: ['STRING', ({ line }) => line.method],
  variant: ['STRING', ({ line }) => line.variant],
  repeat: ['INT32', ({ line }) => line.repeat],
  scorer: ['STRING', ({ line }) => line.scorer],
  run: ['INT32', ({ line }) => line.run],
  subsets: ['STRING', ({ line }) => json(line.subsets)],
  metric: ['STRING', ({ metric }) => metric],
  value: ['DOUBLE', ({ value }) => value],
  skipped: ['STRING', ({ line }) => line.skipped],
  failure: ['STRING', ({ line }) => line.failure?.message],
}
