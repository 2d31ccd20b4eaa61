import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem, type } from 'node:os'

/** Whether every part is to be started once, at its smallest size: to see that it starts, not how fast it is. */
export const small = process.argv.includes('--small')

/** A line of the benchmark table: a figure beside its goal. `met` is null where there is nothing to compare with. */
export interface BenchRow {
  readonly name: string
  readonly figure: string
  readonly goal: string
  readonly met: boolean | null
  readonly note?: string
}

/** Seconds that some work takes. */
export async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The smallest of several measurements: what else the machine does only ever adds. */
export async function best(times: number, work: () => unknown): Promise<number> {
  let least = Infinity
  for (let time = 0; time < times; time++) least = Math.min(least, await seconds(work))
  return least
}

const verdict = ({ met }: BenchRow): string => (met === null ? '–' : met ? 'met' : 'missed')

/** Two lines of a terminal: verdict, figure and name with the goal, and the note. */
export const shownRow = (row: BenchRow): string =>
  `${verdict(row).padEnd(7)} ${row.figure.padEnd(24)} ${row.name}  [${row.goal}]\n${row.note ? `${' '.repeat(8)}${row.note}\n` : ''}`

/** The rows as Markdown, with the machine that they were measured on. */
export function resultsTable(machine: string, rows: readonly BenchRow[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    '# What `npm run bench` measured last',
    '',
    `On ${machine}. Ours and a comparator's are measured in turns; a ratio is ours over theirs, the median of the pairs with their range.`,
    '',
    '<!-- prettier-ignore -->',
    line(['benchmark', 'figure', 'goal', '', 'note']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map((row) => line([row.name, row.figure, row.goal, verdict(row), row.note ?? ''])),
    '',
  ].join('\n')
}

/** Writes RESULTS.md, which stands beside this file. */
export const saveResults = (table: string): void => {
  writeFileSync(new URL('RESULTS.md', import.meta.url), table)
}

/** The machine in words, without its name: kind of processor, cores, memory, system and version of Node. */
export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${type()}, Node ${process.versions.node}`
