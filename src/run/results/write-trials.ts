import type { IndexLine, Manifest, PassageText, ScoreLine, StoredLine, TrialLine } from '../../records.ts'
import { sha256 } from '../../text/hash.ts'
import { files, openJournal, orderLines, readJournal, type Journal } from './journal.ts'

/** The name of a text in passages.jsonl: 16 hex digits of its SHA-256. */
const digestOf = (text: string): string => sha256(text).slice(0, 16)

/** Opens trials.jsonl and passages.jsonl of a folder for appending; the texts of a trial are there before its line. */
export async function openTrials(folder: string): Promise<Journal<IndexLine | TrialLine>> {
  const { trials, passages } = files(folder)
  const known = new Set<string>()
  const texts = await openJournal<PassageText>(passages)
  for await (const { value } of readJournal(passages)) known.add((value as PassageText).digest)
  const lines = await openJournal<StoredLine>(trials)
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

/** Puts trials.jsonl in the order of ranks, lines without one last, and passages.jsonl in that of their first use. */
export async function orderTrials(folder: string, rankOf: (line: StoredLine) => number | undefined): Promise<void> {
  const { trials, passages } = files(folder)
  await orderLines<StoredLine>(trials, ({ id }) => id, rankOf)
  const used = new Map<string, number>()
  for await (const { value } of readJournal(trials)) {
    const line = value as StoredLine
    if (line.line === 'index') continue
    for (const { digest } of line.context) if (!used.has(digest)) used.set(digest, used.size)
  }
  await orderLines<PassageText>(
    passages,
    ({ digest }) => digest,
    ({ digest }) => used.get(digest),
    true,
  )
}

/** More judge runs than any run makes, so that ranks of two scorers never overlap. */
const mostRuns = 1e6

/** Puts scores in the order of the trials, scorers and judge runs, one line each. `scores`: their file. */
export async function orderScores(
  folder: string,
  scores: string,
  scorers: readonly Pick<Manifest['scorers'][number], 'id'>[],
): Promise<void> {
  const trials = new Map<string, number>()
  for await (const { value } of readJournal(files(folder).trials)) trials.set((value as TrialLine).id, trials.size)
  const places = new Map(scorers.map(({ id }, place) => [id, place]))
  await orderLines<ScoreLine>(
    scores,
    ({ trial, scorerId, run }) => `${trial} ${scorerId} ${run}`,
    ({ trial, scorerId, run }) => {
      const [place, scorer] = [trials.get(trial), places.get(scorerId)]
      return place === undefined || scorer === undefined
        ? undefined
        : (place * scorers.length + scorer) * mostRuns + run
    },
  )
}
