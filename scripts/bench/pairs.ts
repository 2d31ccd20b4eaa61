import { availableParallelism, tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { failureRow, seconds, small, type BenchRow } from './row.ts'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Seconds of one repetition. */
type Timed = (pair: number) => Promise<number>

/** Two works measured in turns: medians of the seconds, and of the ratios of the pairs with their range. */
interface Pairs {
  readonly count: number
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
  readonly low: number
  readonly high: number
  /** The median of ours minus theirs. */
  readonly difference: number
}

/** Pairs of a row by default. */
const usualPairs = small ? 1 : 7

/** Threads of a library spin for some milliseconds after its work. */
const pauseMilliseconds = small ? 0 : 60

/** Ours and theirs in turns (A B A B …), after a warm-up of each (pair 0): what else the machine does meets both. */
export async function inPairs(ours: Timed, theirs: Timed, count = usualPairs): Promise<Pairs> {
  const times: { readonly ours: number; readonly theirs: number }[] = []
  for (let pair = 0; pair <= count; pair++) {
    await setTimeout(pauseMilliseconds)
    const ourSeconds = await ours(pair)
    await setTimeout(pauseMilliseconds)
    times.push({ ours: ourSeconds, theirs: await theirs(pair) })
  }
  times.shift()
  const ratios = times.map((pair) => pair.ours / pair.theirs)
  return {
    count,
    ours: median(times.map((pair) => pair.ours)),
    theirs: median(times.map((pair) => pair.theirs)),
    ratio: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    difference: median(times.map((pair) => pair.ours - pair.theirs)),
  }
}

/** The middle one, of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const rising = [...values].sort((a, b) => a - b)
  const middle = rising.length / 2
  return ((rising[Math.ceil(middle) - 1] ?? NaN) + (rising[Math.floor(middle)] ?? NaN)) / 2
}

/** `0.93x (0.88–1.04)`. */
export const ratioFigure = ({ ratio, low, high }: Pairs): string =>
  `${ratio.toFixed(2)}x (${low.toFixed(2)}–${high.toFixed(2)})`

/** A row about our work beside a comparator's. */
interface ComparedWork<Result> {
  readonly name: string
  /** Our precision and threads. */
  readonly about: string
  readonly work: (pair: number) => unknown
  readonly comparator: ComparatorOptions<Result>
  /** Arguments of a repetition. */
  readonly given?: (pair: number) => object
  /** The largest ratio of ours to theirs that meets the goal; none: 1. */
  readonly most?: number
  readonly pairs?: number
  /** Checks the last results of both; the note goes into the row. */
  readonly check?: (theirs: Result) => { readonly right: boolean; readonly note: string }
  /** What the goal demands beyond the ratio. */
  readonly alsoGoal?: string
}

/**
 * Measures ours and the comparator's in turns; ours alone, with a note, where the comparator is not installed. An error
 * becomes a row.
 */
export const comparedRow = <Result>(comparison: ComparedWork<Result>): Promise<BenchRow> =>
  measuredRow(comparison).catch((error: unknown) => failureRow(comparison.name, error))

async function measuredRow<Result>(comparison: ComparedWork<Result>): Promise<BenchRow> {
  const { name, about, work, most = 1, pairs = usualPairs, alsoGoal } = comparison
  const goal = `<= ${most.toFixed(1)}x${alsoGoal ? `, ${alsoGoal}` : ''}`
  const ours: Timed = (pair) => seconds(() => work(pair))
  const theirs = await openComparator(comparison.comparator)
  if (isMissing(theirs)) {
    await ours(0)
    const duration = median([await ours(1), await ours(2), await ours(3)])
    return { name, figure: milliseconds(duration), goal, met: null, note: `${about}; ${theirs.missing}` }
  }
  try {
    let result: Result | undefined
    const time: Timed = async (pair) => {
      const repetition = await theirs.time(comparison.given?.(pair))
      result = repetition.result
      return repetition.seconds
    }
    const results = await inPairs(ours, time, pairs)
    const check = comparison.check?.(result!) ?? { right: true, note: '' }
    const sides = `ours ${milliseconds(results.ours)}, ${about}; ${theirs.about} ${milliseconds(results.theirs)}`
    return {
      name,
      figure: ratioFigure(results),
      goal,
      met: results.ratio <= most && check.right,
      note: [sides, check.note, ...(results.count < usualPairs ? [`${results.count} of ${usualPairs} pairs`] : [])]
        .filter(Boolean)
        .join('; '),
    }
  } finally {
    await theirs.close()
  }
}

export const isMissing = (comparator: object): comparator is Missing => 'missing' in comparator

/** Threads that our products with large matrices use. */
export const ourThreads = `${Math.min(availableParallelism(), 4)} threads`

/** `93 ms`, `4.1 ms`, `2.4 s`. */
export function milliseconds(duration: number): string {
  if (duration >= 2) return `${duration.toFixed(1)} s`
  return `${(1000 * duration).toFixed(duration < 0.02 ? 1 : 0)} ms`
}

/** The seconds and the result of a repetition. */
interface Repetition<Result> {
  readonly seconds: number
  readonly result: Result
}

/** Work in another language, in a process that stays open. */
interface Comparator<Result> {
  /** What it is with its version, its precision and its threads. */
  readonly about: string
  /** Times one repetition; throws Error with what the process wrote when it ends. */
  time(args?: object): Promise<Repetition<Result>>
  close(): Promise<void>
}

/** Why there is nothing to compare with: no interpreter, or one that lacks a package. */
interface Missing {
  readonly missing: string
}

export interface ComparatorOptions<Result> {
  /** A Python file beside this one, which serves tasks by comparator.py. */
  readonly script: string
  readonly task: string
  /** Arguments of the task. */
  readonly given?: object
  /** Numbers that the task reads by their names. */
  readonly data?: Readonly<Record<string, Float32Array | Float64Array | Uint32Array>>
  readonly result: z.ZodType<Result>
  readonly threads?: number
  /** The interpreter; GEMBENCH_PYTHON names it, else python3. */
  readonly python?: string
}

const hello = z.union([z.object({ missing: z.string() }), z.object({ about: z.string() })])

/** Starts a task of a Python script, or says why it cannot be had. The caller closes it. */
export async function openComparator<Result>({
  threads = availableParallelism(),
  python = process.env['GEMBENCH_PYTHON'] ?? 'python3',
  ...task
}: ComparatorOptions<Result>): Promise<Comparator<Result> | Missing> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  for (const [name, numbers] of Object.entries(task.data ?? {})) await writeFile(join(folder, name), numbers)
  const script = fileURLToPath(new URL(task.script, import.meta.url))
  const child = spawn(python, [script, task.task, folder, JSON.stringify(task.given ?? {})], {
    env: { ...process.env, OMP_NUM_THREADS: String(threads), OPENBLAS_NUM_THREADS: String(threads) },
  })
  let [stderr, isAbsent] = ['', false]
  child.stderr.on('data', (text: Buffer) => (stderr += String(text)))
  child.on('error', () => (isAbsent = true))
  const outcome = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const reply = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done !== true) return JSON.parse(line.value) as unknown
    await outcome
    throw new Error(`${python} ${task.script} ${task.task} has ended\n${stderr.trim()}`)
  }
  const close = async (): Promise<void> => {
    child.stdin.end()
    await outcome
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const first = hello.parse(await reply())
    if ('missing' in first) {
      await close()
      return { missing: `${first.missing} (${python}; GEMBENCH_PYTHON names another)` }
    }
    const repetition = z.object({ seconds: z.number(), result: task.result })
    return {
      about: first.about,
      async time(args = {}) {
        child.stdin.write(`${JSON.stringify(args)}\n`)
        return repetition.parse(await reply())
      },
      close,
    }
  } catch (error) {
    await close()
    if (isAbsent) return { missing: `there is no ${python} (GEMBENCH_PYTHON names another)` }
    const [missingModule] = /(?<=^ModuleNotFoundError: ).*$/m.exec(stderr) ?? []
    if (missingModule !== undefined) return { missing: `${missingModule} (${python}; GEMBENCH_PYTHON names another)` }
    throw error
  }
}
