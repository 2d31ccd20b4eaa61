import type { IndexLine, Manifest, ScoreLine, TrialLine } from '../../records.ts'
import { sha256 } from '../../text/hash.ts'
import { files, openJournal, orderLines, readJournal, type Journal, rewriteLines } from './journal.ts'
import type { StoredTrial } from './read-lines.ts'
import { lstat } from 'node:fs/promises'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'

export type Seal = Awaited<ReturnType<typeof sealOf>>

/**
 * Makes lines unreadable, and readable again, with a key made of the dataset's files, so that a program that is asked
 * finds no reference there.
 */
export async function sealOf(files: readonly string[]) {
  const hash = createHash('sha256').update('gembench')
  for (const file of files) for await (const block of createReadStream(file)) hash.update(block as Buffer)
  const key = hash.digest()
  return {
    close: (line: string): string => {
      const start = randomBytes(16)
      const cipher = createCipheriv('aes-256-ctr', key, start)
      return JSON.stringify(Buffer.concat([start, cipher.update(line, 'utf8'), cipher.final()]).toString('base64'))
    },
    open: (line: string): string => {
      const bytes = Buffer.from(JSON.parse(line) as string, 'base64')
      const cipher = createDecipheriv('aes-256-ctr', key, bytes.subarray(0, 16))
      return Buffer.concat([cipher.update(bytes.subarray(16)), cipher.final()]).toString('utf8')
    },
  }
}

/** Whether a line is sealed: a JSON text, where every other line is an object. */
const isSealed = (line: string): boolean => line.startsWith('"')

/** Seals every line of a file that is not. */
export const sealFile = (file: string, seal: Seal): Promise<void> =>
  rewriteLines(file, (line) => (isSealed(line) ? line : seal.close(line)))

/** Opens every line of a file that is sealed; a file without one is left alone, and no key is made. */
export async function openFile(file: string, seal: () => Promise<Seal>): Promise<void> {
  // a device or a pipe may have no end
  const there = await lstat(file).catch(() => undefined)
  if (there?.isFile()) await rewriteLines(file, async (line) => (isSealed(line) ? (await seal()).open(line) : line))
}

/** The name of a text in passages.jsonl: 16 hex digits of its SHA-256. */
const digestOf = (text: string): string => sha256(text).slice(0, 16)

/** Opens trials.jsonl and passages.jsonl of a folder for appending; the texts of a trial are there before its line. */
export async function openTrials(folder: string, seal?: Seal): Promise<Journal<IndexLine | TrialLine>> {
  const { trials, passages } = files(folder)
  const known = new Set<string>()
  const texts = await openJournal<{ readonly digest: string; readonly text: string }>(passages, seal?.close)
  for await (const { value } of readJournal(passages)) {
    const line = typeof value === 'string' && seal ? (JSON.parse(seal.open(JSON.stringify(value))) as unknown) : value
    known.add((line as { readonly digest: string }).digest)
  }
  const lines = await openJournal<IndexLine | StoredTrial>(trials, seal?.close)
  return {
    append(line) {
      if (line.line === 'index') {
        lines.append(line)
        return
      }
      const context = line.context.map(({ text, ...rest }) => {
        const digest = digestOf(text)
        if (!known.has(digest)) texts.append({ digest, text })
        known.add(digest)
        return { digest, ...rest }
      })
      lines.append({ ...line, context })
    },
    close() {
      lines.close()
      texts.close()
    },
  }
}

/** Puts trials.jsonl in the order of the ids, others last, and passages.jsonl in the order of their first use. */
export async function orderTrials(folder: string, ids: AsyncIterable<string>): Promise<void> {
  const { trials, passages } = files(folder)
  const ranks = new Map<string, number>()
  for await (const id of ids) ranks.set(id, ranks.size)
  await orderLines<IndexLine | StoredTrial>(
    trials,
    ({ id }) => id,
    ({ id }) => ranks.get(id),
  )
  const used = new Map<string, number>()
  for await (const { value } of readJournal(trials)) {
    const line = value as IndexLine | StoredTrial
    if (line.line === 'index') continue
    for (const { digest } of line.context) if (!used.has(digest)) used.set(digest, used.size)
  }
  await orderLines<{ readonly digest: string }>(
    passages,
    ({ digest }) => digest,
    ({ digest }) => used.get(digest),
    true,
  )
}

/** Puts scores in the order of the trials, scorers and judge runs, one line each. `scores`: their file. */
export async function orderScores(
  folder: string,
  scores: string,
  scorers: readonly Pick<Manifest['scorers'][number], 'id'>[],
): Promise<void> {
  const trials = new Map<string, number>()
  for await (const { value } of readJournal(files(folder).trials)) trials.set((value as TrialLine).id, trials.size)
  const places = new Map(scorers.map(({ id }, place) => [id, place]))
  let runs = 0
  for await (const { value } of readJournal(scores)) runs = Math.max(runs, (value as ScoreLine).run + 1)
  await orderLines<ScoreLine>(
    scores,
    ({ trial, scorerId, run }) => `${trial} ${scorerId} ${run}`,
    ({ trial, scorerId, run }) => {
      const [place, scorer] = [trials.get(trial), places.get(scorerId)]
      return place === undefined || scorer === undefined ? undefined : (place * scorers.length + scorer) * runs + run
    },
  )
}
