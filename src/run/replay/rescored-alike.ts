import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isRegularFile } from '../../basics/files.ts'
import { spendingWithin } from '../../models/index.ts'
import type { ScoreLine } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { files } from '../results/journal.ts'
import { configFolder, openRunFolder, type Results } from '../results/results.ts'
import type { Settings } from '../settings.ts'
import { rescore, type Trust } from '../scoring/rescore.ts'

/** Lines of scores.jsonl that scoring again does not give, and lines that it gives and the file lacks. */
export interface ScoreDifferences {
  readonly lines: number
  readonly missing: number
  readonly added: number
  /** Names of scorers whose lines are not compared: this version makes other ones. */
  readonly others: readonly string[]
}

/**
 * Scores a copy of a run again from kept calls; neither the order of lines counts nor failures made good later. Throws
 * UserError and SpendingLimitError where the kept calls are not enough.
 */
export async function rescoredAlike(
  results: Results,
  settings: Omit<Settings, 'results'>,
  trust: Trust,
): Promise<ScoreDifferences> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-verify-'))
  try {
    for (const file of [...Object.values(files(results.folder)), join(results.folder, 'manifest.json')])
      if (isRegularFile(file)) await copyFile(file, join(folder, basename(file)))
    const copy = await openRunFolder(folder)
    if (!copy) throw new Error('a copy of a results folder is none')
    const spending = spendingWithin({ calls: 0 })
    const base = configFolder(results.folder)
    await rescore(copy, { ...settings, results: folder, spending }, undefined, { ...trust, base, keepsTests: true })
    const made = await openRunFolder(folder)
    const now = new Set(made?.manifest.scorers.map(({ id }) => id))
    const [before, after] = [await linesOf(results, now), await linesOf(copy, now)]
    return {
      others: results.manifest.scorers.filter(({ id }) => !now.has(id)).map(({ scorer }) => scorer),
      lines: before.size,
      missing: [...before].filter((line) => !after.has(line)).length,
      added: [...after].filter((line) => !before.has(line)).length,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The scores that count, of the scorers that the manifest has and this version makes. */
async function linesOf(results: Results, now: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { manifest } = results
  const known = new Set(manifest.scorers.flatMap(({ id }) => (now.has(id) ? [id] : [])))
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const last = new Map<string, ScoreLine>()
  for await (const line of results.scores())
    if (known.has(line.scorerId) && rows.has(line.methodId))
      last.set(`${line.trial} ${line.scorerId} ${line.run}`, line)
  return new Set([...last.values()].map((line) => canonicalJson(line)))
}
