import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { z } from 'zod'
import { messageOf } from '../../src/errors.ts'

/** Whether every part runs once at its smallest size: a test that it runs, not of its speed. */
export const small = process.argv.includes('--small')

/** A line of the benchmark table: a figure beside its goal. `met` is null where there is nothing to compare with. */
export interface BenchRow {
  readonly name: string
  readonly figure: string
  readonly goal: string
  readonly met: boolean | null
  readonly note?: string
}

const failureText = 'ended with an error'

/** The row of a failed measurement, with the message of the error. */
export const failureRow = (name: string, error: unknown): BenchRow => ({
  name,
  figure: failureText,
  goal: '–',
  met: null,
  note: messageOf(error).slice(0, 1000),
})

export const isFailed = ({ figure }: BenchRow): boolean => figure === failureText

/** Seconds that some work takes. */
export async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** The smallest of several measurements: what else the machine does only ever adds. */
export async function best(times: number, work: () => unknown): Promise<number> {
  let least = Infinity
  for (let time = 0; time < times; time++) least = Math.min(least, await seconds(work))
  return least
}

/** The arguments with which Node runs a TypeScript file of this folder. */
export const childArguments = (file: string): readonly string[] => [
  ...['--import', import.meta.resolve('tsx')],
  fileURLToPath(new URL(file, import.meta.url)),
]

/** What a task of child.ts prints, from a process of its own. */
export async function inChild<Result>(result: z.ZodType<Result>, ...args: readonly string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [...childArguments('child.ts'), ...args])
  return result.parse(JSON.parse(stdout))
}

/** The most memory of this process that was resident, in bytes. Node's own figure begins with that of the parent. */
export function peakMemory(): number {
  if (type() !== 'Linux') return 1024 * process.resourceUsage().maxRSS
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error('/proc/self/status has no VmHWM')
  return 1024 * Number(kilobytes)
}

const verdict = ({ met }: BenchRow): string => (met === null ? '–' : met ? 'met' : 'missed')

/** Two lines of a terminal: verdict, figure and name with the goal, and the note. */
export const formatRow = (row: BenchRow): string =>
  `${verdict(row).padEnd(7)} ${row.figure.padEnd(24)} ${row.name}  [${row.goal}]\n${row.note ? `${' '.repeat(8)}${row.note}\n` : ''}`

const headRows = [
  '# What `npm run bench` measured last',
  '',
  "Ours and a comparator's are measured in turns; a ratio is ours over theirs, the median of the pairs with their range.",
  'A row names the commit and the processor of its measurement.',
  '',
  '<!-- prettier-ignore -->',
  '| benchmark | figure | goal |  | commit | note |',
  '| --- | --- | --- | --- | --- | --- |',
]
const resultsFile = new URL('RESULTS.md', import.meta.url)

/** Writes the rows into RESULTS.md. A row replaces the one of its name; other rows keep their figures and commits. */
export function saveResults(rows: readonly BenchRow[]): void {
  const lines = new Map(
    readFileSync(resultsFile, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) => [line.split(' | ')[0], line]),
  )
  const commit = `${describeCommit()}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  for (const row of rows) {
    const cells = [row.name, row.figure, row.goal, verdict(row), commit, row.note ?? '']
    const line = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    lines.set(line.split(' | ')[0], line)
  }
  writeFileSync(resultsFile, `${[...headRows, ...lines.values()].join('\n')}\n`)
}

/** The short hash of the commit; a `+` marks uncommitted changes. */
function describeCommit(): string {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const changes = git('status', '--porcelain', '--untracked-files=no', '--', ':!scripts/bench/RESULTS.md')
  return git('rev-parse', '--short=8', 'HEAD') + (changes === '' ? '' : '+')
}

/** The machine in words, without its name: kind of processor, cores, memory, system and version of Node. */
export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${type()}, Node ${process.versions.node}`

/** Box and Muller's. */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** `most`: less than the goal is as good. */
export function rate(
  name: string,
  outcomes: readonly boolean[],
  { goal, reach = 0, note = '', most = false }: { goal?: number; reach?: number; note?: string; most?: boolean },
): BenchRow {
  const share = outcomes.filter(Boolean).length / outcomes.length
  const hasGoal = goal !== undefined
  return {
    name,
    figure: percent(share),
    goal: hasGoal ? `${percent(goal)} ${most ? '+' : '±'} ${100 * reach}` : '–',
    met: hasGoal ? (most ? share - goal : Math.abs(share - goal)) <= reach : null,
    note,
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
