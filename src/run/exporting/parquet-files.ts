import type { ColumnSource } from 'hyparquet-writer'
import type { Manifest, ScoreLine, TrialLine } from '../../records.ts'
import type { Results } from '../results/results.ts'
import type { NamedFile } from './trec-files.ts'

/**
 * `trials.parquet`, a row a trial, what is nested as JSON; `scores.parquet`, a row a metric or reason. All in memory.
 */
export async function parquetFiles(
  { methods, scorers }: Manifest,
  { trials, scores }: Pick<Results, 'trials' | 'scores'>,
): Promise<readonly NamedFile[]> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const rows = new Set(methods.map(({ id }) => id))
  const known = new Set(scorers.map(({ id }) => id))
  const made = new Map<string, TrialLine>()
  for await (const line of trials()) if (line.line === 'trial' && rows.has(line.methodId)) setLast(made, line.id, line)
  const scored = new Map<string, ScoreLine>()
  for await (const line of scores())
    if (rows.has(line.methodId) && known.has(line.scorerId))
      setLast(scored, `${line.trial} ${line.scorerId} ${line.run}`, line)
  const fileOf = (name: string, columnData: ColumnSource[]): NamedFile => ({
    name,
    content: new Uint8Array(parquetWriteBuffer({ columnData })),
  })
  return [
    fileOf('trials.parquet', columnsOf([...made.values()], trialColumns)),
    fileOf('scores.parquet', columnsOf([...scored.values()].flatMap(scoredRows), scoreColumns)),
  ]
}

/** Puts a line in place of an earlier one with its key, and behind all others. */
function setLast<T>(lines: Map<string, T>, key: string, line: T): void {
  lines.delete(key)
  lines.set(key, line)
}

type Kind = 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN'

type Columns<T> = Readonly<Record<string, readonly [type: Kind, valueOf: (row: T) => unknown]>>

const columnsOf = <T>(rows: readonly T[], columns: Columns<T>): ColumnSource[] =>
  Object.entries(columns).map(([name, [type, valueOf]]) => ({
    ...{ name, type, nullable: true },
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

const scoredRows = (line: ScoreLine): readonly ScoredRow[] =>
  line.metrics ? Object.entries(line.metrics).map(([metric, value]) => ({ line, metric, value })) : [{ line }]

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
