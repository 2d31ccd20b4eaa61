import { closeSync, openSync, readSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { itemAt } from '../../basics/collections.ts'
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
  const places = questions.size + 1
  return (line) => {
    const { repeat = 0 } = line
    const corpus = corpora.get(line.corpus)
    const row = rowPlaces.get(line.methodId)
    // the line of an index precedes those of its questions
    const question = line.line === 'index' ? -1 : questions.get(line.question.id)
    if (corpus === undefined || row === undefined || question === undefined || repeat >= repeats) return undefined
    const item = corpus * rows.length + row
    const place = question + 1
    return indexPerRepeat ? (item * repeats + repeat) * places + place : (item * places + place) * repeats + repeat
  }
}

/**
 * Sorts trials.jsonl by rank, lines without a rank last, and passages.jsonl by first use.
 * `visit` is called with each line in that order.
 */
export async function orderTrials(
  folder: string,
  rankOf: (line: StoredLine) => number | undefined,
  visit: (line: StoredLine) => void,
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
  /** Equal for lines with one key, of which the last stays. Lines without a rank are removed; infinite ones stay. */
  readonly rankOf: (line: T) => number | undefined
  /** Tells lines of an infinite rank apart. */
  readonly keyOf: (line: T) => string
  /** Called with each line in the new order. */
  readonly visit?: (line: T) => void
}

/** Sorts the lines of a journal and replaces the file atomically. */
async function orderLines<T>(file: string, { keyOf, rankOf, visit }: LineOrder<T>) {
  if (!regularFile(file)) return
  requireLock(dirname(file))
  // numbers in lists: an object for each of very many lines would take ten times the memory
  const starts: number[] = []
  const lengths: number[] = []
  const ranks: number[] = []
  const placesOfKeys = new Map<string, number>()
  for await (const { start, bytes } of split(blocks(file), file)) {
    const line = parseLine(bytes) as T | undefined
    // a damaged file is left alone: its reader reports the line
    if (line === undefined) return
    const rank = rankOf(line) ?? NaN
    if (rank === Infinity) {
      const before = placesOfKeys.get(keyOf(line))
      if (before !== undefined) ranks[before] = NaN
      placesOfKeys.set(keyOf(line), ranks.length)
    }
    starts.push(start)
    lengths.push(bytes.length)
    ranks.push(rank)
  }
  const rankAt = (place: number): number => itemAt(ranks, place)
  const order = [...ranks.keys()].filter((place) => !Number.isNaN(rankAt(place)))
  order.sort((a, b) => (rankAt(a) === rankAt(b) ? a - b : rankAt(a) - rankAt(b)))
  const isLast = (place: number, at: number): boolean =>
    rankAt(place) === Infinity || rankAt(place) !== ranks[order[at + 1] ?? -1]
  const sortedPlaces = order.filter(isLast)
  const isSorted = sortedPlaces.length === ranks.length && sortedPlaces.every((place, at) => place === at)
  if (isSorted && !visit) return
  const part = `${file}.part`
  await rm(part, { force: true })
  const source = openSync(file, 'r')
  const target = isSorted ? undefined : openSync(part, 'wx')
  const pause = createPause()
  try {
    for (const place of sortedPlaces) {
      const length = itemAt(lengths, place)
      const bytes = Buffer.alloc(length + 1, '\n')
      readSync(source, bytes, 0, length, itemAt(starts, place))
      if (target !== undefined) writeAll(target, bytes, part)
      visit?.(JSON.parse(bytes.toString('utf8')) as T)
      await pause()
    }
  } finally {
    closeSync(source)
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
