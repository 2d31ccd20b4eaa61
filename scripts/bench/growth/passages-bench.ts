import { execFile } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { askPython } from '../python.ts'
import { failureRow, childArguments, small, type BenchRow } from '../row.ts'
import { columns, depth, passageAt, questionAt, questions, vectorAt } from './passages.ts'

const run = promisify(execFile)
const sizes = small ? [300] : [10_000, 100_000, 1_000_000]

/** What an index may take: seconds, megabytes, and milliseconds a question. */
const goals = {
  bm25: { seconds: 180, megabytes: 2000, question: 20 },
  vector: { seconds: Infinity, megabytes: 2000, question: 50 },
} as const

const measurement = z.object({
  clock: z.number(),
  processor: z.number(),
  peak: z.number(),
  question: z.number(),
  questionProcessor: z.number(),
  found: z.array(z.array(z.tuple([z.number(), z.number()]))),
  about: z.string().optional(),
  store: z.string().optional(),
})
type Measured = z.output<typeof measurement>

/** Passages of 500 bytes by words and by vectors that are given, beside bm25s and numpy: time, memory, a question. */
export async function* passagesBench(): AsyncGenerator<BenchRow> {
  for (const size of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'gembench-passages-'))
    try {
      await writePassages(folder, size)
      for (const [method, comparator] of [
        ['bm25', 'bm25s'],
        ['vector', 'numpy'],
      ] as const)
        yield await rowOf(method, comparator, folder, size).catch((error: unknown) =>
          failureRow(nameOf(method, size), error),
        )
      yield* storedRows(folder, size)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

const nameOf = (method: string, size: number): string =>
  `${size.toLocaleString('en-US')} passages of 500 bytes, ${method === 'vector' ? `vector, ${columns} numbers given` : method}`

async function writePassages(folder: string, size: number): Promise<void> {
  const [texts, rows] = [createWriteStream(join(folder, 'texts.txt')), createWriteStream(join(folder, 'rows'))]
  for (let row = 0; row < size + questions; row++) {
    if (row < size) await writeText(texts, `${passageAt(row)}\n`)
    await writeText(rows, new Uint8Array(vectorAt(row).buffer))
  }
  for (const stream of [texts, rows]) {
    stream.end()
    await once(stream, 'finish')
  }
  const requests = Array.from({ length: questions }, (_, place) => questionAt(place))
  await writeFile(join(folder, 'questions.txt'), requests.join('\n'))
}

async function writeText(stream: WriteStream, part: string | Uint8Array): Promise<void> {
  if (!stream.write(part)) await once(stream, 'drain')
}

async function rowOf(method: keyof typeof goals, comparator: string, folder: string, size: number): Promise<BenchRow> {
  const [load = 0] = loadavg()
  const ours = await measure(method, folder)
  const theirs = await askPython('growth/passages.py', [comparator, folder, `${depth}`, `${columns}`], measurement)
  return measuredRow(
    nameOf(method, size),
    ours,
    method,
    load,
    typeof theirs === 'string' ? theirs : compareTexts(ours, theirs),
  )
}

function measuredRow(name: string, ours: Measured, method: keyof typeof goals, load: number, about: string): BenchRow {
  const goal = goals[method]
  const isMet = ours.clock <= goal.seconds && ours.peak <= goal.megabytes && ours.question <= goal.question
  const within = goal.seconds === Infinity ? '' : `< ${goal.seconds} s, `
  return {
    name,
    figure: figureOf(ours),
    goal: `${within}< ${goal.megabytes} MB, < ${goal.question} ms`,
    met: isMet,
    note: `processor ${ours.processor.toFixed(0)} s, ${ours.questionProcessor.toFixed(1)} ms a question; load ${load.toFixed(1)} before; ${about}`,
  }
}

/** A method over the passages of a folder, in a process of its own. */
async function measure(method: string, folder: string, store?: object): Promise<Measured> {
  const files = [join(folder, 'texts.txt'), join(folder, 'rows')]
  const child = [...childArguments('growth/passages-child.ts'), method, ...files]
  const args = store ? [JSON.stringify(store)] : []
  const { stdout } = await run(process.execPath, [...child, ...args], { maxBuffer: 2 ** 26 })
  return measurement.parse(JSON.parse(stdout))
}

/** The same vectors in the PostgreSQL that a variable of the environment names, beside an exact search there. */
async function* storedRows(folder: string, size: number): AsyncGenerator<BenchRow> {
  const url = process.env['GEMBENCH_POSTGRES']
  if (url === undefined) return
  const measurements = { exact: undefined, hnsw: undefined } as {
    exact: Measured | undefined
    hnsw: Measured | undefined
  }
  for (const search of ['exact', 'hnsw'] as const) {
    const name = `${size.toLocaleString('en-US')} passages of 500 bytes, vector in pgvector, ${search === 'exact' ? 'exact' : 'HNSW'}`
    try {
      const [load = 0] = loadavg()
      const ours = await measure('vector', folder, { use: 'pgvector', url, search, sample: 0 })
      measurements[search] = ours
      const recall =
        search === 'hnsw' && measurements.exact ? `; ${recallOf(ours.found, measurements.exact.found)}` : ''
      yield {
        name,
        figure: figureOf(ours),
        goal: '–',
        met: null,
        note: `${ours.store ?? ''}; the seconds ${search === 'exact' ? 'load the vectors' : 'build the HNSW index'}; load ${load.toFixed(1)} before${recall}`,
      }
    } catch (error) {
      yield failureRow(name, error)
    }
  }
}

/** How many of the passages of an exact search another one finds. */
function recallOf(results: Measured['found'], exact: Measured['found']): string {
  const equal = results.flatMap((item, place) => {
    const rows = new Set((exact[place] ?? []).map(([row]) => row))
    return item.filter(([row]) => rows.has(row))
  })
  const all = exact.reduce((sum, item) => sum + item.length, 0)
  return `finds ${equal.length} of the ${all} passages that the exact search finds (random directions, the hardest for an index)`
}

const figureOf = ({ clock, peak, question }: Measured): string =>
  `${clock.toFixed(clock < 10 ? 1 : 0)} s, ${peak.toFixed(0)} MB, ${question.toFixed(1)} ms a question`

const compareTexts = (ours: Measured, theirs: Measured): string =>
  `${theirs.about}: ${figureOf(theirs)}, processor ${theirs.processor.toFixed(0)} s, ${theirs.questionProcessor.toFixed(1)} ms a question; ${differenceOf(ours.found, theirs.found)}`

/** How many passages of the questions are others, where the scores tell these apart, and how far scores lie apart. */
function differenceOf(ours: Measured['found'], theirs: Measured['found']): string {
  let [differences, apart] = [0, 0]
  for (const [place, item] of ours.entries()) {
    const scores = new Map(theirs[place])
    const least = Math.min(...scores.values())
    for (const [row, score] of item) {
      const their = scores.get(row)
      if (their !== undefined) apart = Math.max(apart, Math.abs(their - score))
      else if (score > least + tie) differences++
    }
  }
  return `${differences} of ${questions * depth} passages are others, scores differ by ${apart.toExponential(0)} at most`
}

/** Scores of 32 bits that differ by less may be equal. */
const tie = 1e-5
