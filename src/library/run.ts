import type { RunConfig } from '../run/run-config.ts'
import type { RunSettings } from '../run/prepare/settings.ts'
import type { Result } from '../report/result.ts'

/** A finished run; that of a series where the config has several runs. */
export interface RunResult extends Result {
  /** The results folders of the runs: one, or all those of the series. */
  readonly runs: readonly string[]
}

/**
 * Asks every question of every method and scores the answers, as `gembench run` does, and writes the tables into the
 * results folder: what is there already is kept. The config is an object in the form of a config file, or the path of a
 * file, or several, of which later ones override earlier ones. Where a name stands, an object of `defineMethod`,
 * `defineDataset`, `defineScorer` or `defineProvider` may stand; it must have a `version`. Where the config varies keys
 * of its own (`vary: { 'chunks.size': [100, 200] }`), every combination is a run, and the rows are those of all. Throws
 * UserError for what a person can mend, with a line for each mistake, UsageLimitError before a call that exceeds a
 * limit, and AbortError when stopped; the same call again goes on.
 *
 *     const { rows, notes } = await run({ dataset: 'sample', methods: ['bm25', { use: 'gem-rag', components: 3 }] })
 *     console.log(rows.map(({ name, scores }) => [name, scores.accuracy?.mean]))
 */
export async function run(
  config: RunConfig | string | readonly string[],
  settings: RunSettings = {},
): Promise<RunResult> {
  // loaded when needed: a plug-in that imports this package runs nothing
  const { openConfig, noteOnObjects } = await import('../run/open-config.ts')
  const { runPlans } = await import('./write-tables.ts')
  const { resultOf } = await import('../report/result.ts')
  const warnings: string[] = []
  const warn = (line: string): void => {
    warnings.push(line.replace(/^note: /, ''))
    settings.warn?.(line)
  }
  const openedConfig = await openConfig(config, { ...settings, warn })
  const { folder, runs, manifest, table } = await runPlans(openedConfig)
  return { ...resultOf(folder, manifest, table, [...noteOnObjects(openedConfig.settings), ...warnings]), runs }
}
