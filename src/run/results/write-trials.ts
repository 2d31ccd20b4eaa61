import { closeSync, openSync, readSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { regularFile } from '../../basics/files.ts'
import type { PassageText, ScoreLine, ScorerRecord, StoredLine } from '../../records.ts'
import { blocks, split } from '../../text/jsonl.ts'
import { createPause } from '../for-each-limited.ts'
import type { DatasetOrder } from '../prepare/dataset-statistics.ts'
import { files, writeAll } from './journal.ts'
import { requireLock } from './lock.ts'
import { scoreKey } from './read-lines.ts'

/** Repeats of each question; `indexPerRepeat`: each has its own index if indexing is stochastic. */
export interface Repeats {
  readonly repeats: number
  readonly indexPerRepeat: boolean
}

/** Rank of a line in trials.jsonl: by corpus, row, index, question and repeat; undefined for a stale line. */
export function lineRanks(
  { corpora, questions }: DatasetOrder,
  rows: readonly { readonly id: string }[],
  { repeats, indexPerRepeat }: Repeats,
): (line: StoredLine) => number | undefined {
  const rowPlaces = new Map(rows.map(({ id }, place) => [id, place]))
  const indexes = indexPerRepeat ? repeats : 1
  return (line) => {
    const corpus = corpora.get(line.corpus)
    const row = rowPlaces.get(line.methodId)
    const question = line.line === 'index' ? -1 : questions.get(line.question.id)
    const repeat = line.repeat ?? 0
    if (!corpus || row === undefined || question === undefined || repeat >= repeats) return undefined
    const before = corpus.place * indexes + corpus.questionsBefore * repeats
    const start = rows.length * before + row * (indexes + corpus.questions * repeats)
    const within = question - corpus.questionsBefore
    if (line.line === 'index') return start + repeat * (1 + corpus.questions)
    return indexPerRepeat ? start + repeat * (1 + corpus.questions) + 1 + within : start + 1 + within * repeats + repeat
  }
}

/**
 * Sorts trials.jsonl by rank, lines without a rank last, and passages.jsonl by first use.
 * `visit` is called with each line in that order.
 */
export async function orderTrials(
  folder: string,
  rankOf: (line: StoredLine) => number | undefined,
  visit: (line: StoredLine) => void = () => undefined,
): Promise<void> {
  const { trials, passages } = files(folder)
  const rankOfDigest = new Map<string, number>()
  await orderLines<StoredLine>(trials, {
    keyOf: ({ id }) => id,
    rankOf: (line) => rankOf(line) ?? Infinity,
    visit(line) {
      visit(line)
      if (line.line === 'index') return
      for (const { digest } of line.context) {
        if (!rankOfDigest.has(digest)) rankOfDigest.set(digest, rankOfDigest.size)
      }
    },
  })
  await orderLines<PassageText>(passages, {
    keyOf: ({ digest }) => digest,
    rankOf: ({ digest }) => rankOfDigest.get(digest),
  })
}

/** An upper bound of judge runs, so that ranks of two scorers never overlap. */
const maxRuns = 1e6

/** Sorts scores by trial, scorer and judge run, one line each. `positions`: those of the trials. */
export async function orderScores(
  scores: string,
  positions: ReadonlyMap<string, number>,
  scorers: readonly Pick<ScorerRecord, 'id'>[],
): Promise<void> {
  const columns = new Map(scorers.map(({ id }, column) => [id, column]))
  await orderLines<ScoreLine>(scores, {
    keyOf: scoreKey,
    rankOf({ trial, scorerId, run }) {
      const position = positions.get(trial)
      const column = columns.get(scorerId)
      if (position === undefined || column === undefined) return Infinity
      return (position * scorers.length + column) * maxRuns + run
    },
  })
}

/** The order of the lines of a journal. */
interface LineOrder<T> {
  /** The last of several lines with one key stays. */
  readonly keyOf: (line: T) => string
  /** Lines without a rank are removed; those of equal rank stay in their order. */
  readonly rankOf: (line: T) => number | undefined
  /** Called with each line in the new order. */
  readonly visit?: (line: T) => void
}

/** The byte offset of a line in a file, and its length without the line feed. */
interface LinePlace {
  readonly start: number
  readonly length: number
  readonly rank: number
}

/** Sorts the lines of a journal and replaces the file atomically. */
export async function orderLines<T>(file: string, { keyOf, rankOf, visit }: LineOrder<T>): Promise<void> {
  if (!regularFile(file)) return
  requireLock(dirname(file))
  const places = new Map<string, LinePlace>()
  let count = 0
  for await (const { start, bytes } of split(blocks(file), file)) {
    count++
    const line = parseLine(bytes) as T | undefined
    // a damaged file is left alone: its reader reports the line
    if (line === undefined) return
    const key = keyOf(line)
    const rank = rankOf(line)
    places.delete(key)
    if (rank !== undefined) places.set(key, { start, length: bytes.length, rank })
  }
  const lastLines = [...places.values()]
  const sortedLines = lastLines.toSorted((a, b) => (a.rank === b.rank ? a.start - b.start : a.rank - b.rank))
  const isSorted = sortedLines.length === count && sortedLines.every((line, place) => line === lastLines[place])
  if (isSorted && !visit) return
  const part = `${file}.part`
  await rm(part, { force: true })
  const target = isSorted ? undefined : openSync(part, 'wx')
  try {
    for await (const bytes of linesAt(file, sortedLines)) {
      if (target !== undefined) writeAll(target, bytes, part)
      visit?.(JSON.parse(bytes.toString('utf8')) as T)
    }
  } finally {
    if (target !== undefined) closeSync(target)
  }
  requireLock(dirname(file))
  if (target !== undefined) await rename(part, file)
}

function parseLine(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The bytes of lines at places of a file, each with its line feed. */
async function* linesAt(file: string, places: readonly LinePlace[]): AsyncGenerator<Buffer> {
  const source = openSync(file, 'r')
  const pause = createPause()
  try {
    for (const { start, length } of places) {
      const bytes = Buffer.alloc(length + 1, '\n')
      readSync(source, bytes, 0, length, start)
      yield bytes
      await pause()
    }
  } finally {
    closeSync(source)
  }
}
