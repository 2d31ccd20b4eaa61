import { rename, rm } from 'node:fs/promises'
import type { ScoreLine } from '../../records.ts'
import { openJournal } from '../results/journal.ts'
import { readScores } from '../results/read-lines.ts'

/** Takes lines out of scores.jsonl; the file is replaced whole or not at all, and left alone where no line goes. */
export async function dropScores(scores: string, goes: (line: ScoreLine) => boolean): Promise<void> {
  let dropped = false
  for await (const line of readScores(scores)) dropped ||= goes(line)
  if (!dropped) return
  const part = `${scores}.kept`
  await rm(part, { force: true })
  const kept = await openJournal<ScoreLine>(part)
  try {
    for await (const line of readScores(scores)) if (!goes(line)) kept.append(line)
  } finally {
    kept.close()
  }
  await rename(part, scores)
}
