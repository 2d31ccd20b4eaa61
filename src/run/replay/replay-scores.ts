import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitUsage } from '../../models/index.ts'
import { canonicalJson } from '../../text/hash.ts'
import { files } from '../results/journal.ts'
import { numberedScores } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { scoreInto } from '../scoring/rescore.ts'
import { silent } from '../progress.ts'
import type { Settings } from '../prepare/settings.ts'
import { recordedModels } from './recorded-models.ts'

/** The lines of scores.jsonl after the trials were scored again. */
interface ReplayedScores {
  readonly lines: number
  /** Numbers of the lines that scoring does not reproduce. */
  readonly differing: readonly number[]
  /** How many scores the file lacks. */
  readonly addedCount: number
  /** Labels of scorers that have changed in this version; their lines are not compared. */
  readonly skipped: readonly string[]
}

/**
 * Scores the trials of a run again with its recorded responses as the only models; the order of lines does not count.
 * Throws UserError, and UsageLimitError where a response is not recorded.
 */
export async function replayScores(
  run: Results,
  settings: Omit<Settings, 'results'>,
  isTrusted: boolean,
): Promise<ReplayedScores> {
  const { folder, manifest } = run
  const temporary = await mkdtemp(join(tmpdir(), 'gembench-verify-'))
  try {
    const { scores } = files(temporary)
    const trust = { isTrusted, recordedModels: recordedModels(manifest), base: configFolder(folder) }
    const offlineSettings = { ...settings, usageLimiter: limitUsage({ calls: 0 }) }
    const replay = await scoreInto(scores, run, offlineSettings, silent, trust)
    const scorers = new Set(replay.manifest.scorers.map(({ id }) => id))
    const skipped = manifest.scorers.filter(({ id }) => !scorers.has(id))
    const comparedIds = new Set(manifest.scorers.flatMap(({ id }) => (scorers.has(id) ? [id] : [])))
    const rows = new Set(manifest.methods.map(({ id }) => id))
    const lines = new Set<string>()
    for await (const { value } of numberedScores(scores))
      if (comparedIds.has(value.scorerId)) lines.add(canonicalJson(value))
    const differing: number[] = []
    let count = 0
    for await (const { line, value } of numberedScores(files(folder).scores)) {
      if (!comparedIds.has(value.scorerId) || !rows.has(value.methodId)) continue
      count++
      if (!lines.delete(canonicalJson(value))) differing.push(line)
    }
    return { lines: count, differing, addedCount: lines.size, skipped: skipped.map(({ scorer }) => scorer) }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
