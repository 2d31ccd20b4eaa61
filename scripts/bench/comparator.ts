import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** A repetition: its seconds, and what it found. */
export interface Repetition<Result> {
  readonly seconds: number
  readonly result: Result
}

/** Work in another language, in a process that stays open. */
export interface Comparator<Result> {
  /** What it is with its version, its precision and its threads. */
  readonly about: string
  /** Times one repetition; throws Error with what the process wrote when it ends. */
  time(given?: object): Promise<Repetition<Result>>
  close(): Promise<void>
}

/** Why there is nothing to compare with: no interpreter, or one that lacks a package. */
export interface Missing {
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
  let [said, absent] = ['', false]
  child.stderr.on('data', (text: Buffer) => (said += String(text)))
  child.on('error', () => (absent = true))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const reply = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done !== true) return JSON.parse(line.value) as unknown
    await ended
    throw new Error(`${python} ${task.script} ${task.task} has ended\n${said.trim()}`)
  }
  const close = async (): Promise<void> => {
    child.stdin.end()
    await ended
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
      async time(given = {}) {
        child.stdin.write(`${JSON.stringify(given)}\n`)
        return repetition.parse(await reply())
      },
      close,
    }
  } catch (error) {
    await close()
    if (absent) return { missing: `there is no ${python} (GEMBENCH_PYTHON names another)` }
    throw error
  }
}
