import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScoreLine, TrialLine } from '../records.ts'
import { gembenchProcess } from './cli.ts'
import { readResults } from './read-results.ts'
import { tinyProject } from './tiny.ts'

/** What a run left: its exit code, what it said to a person, and its lines. */
export interface Ended {
  readonly code: number
  readonly err: string
  readonly project: string
  readonly trials: readonly TrialLine[]
  readonly scores: readonly ScoreLine[]
}

/** Runs `gembench run` on a tiny project with these files beside its config, and gives what it left. */
export async function ran(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, unknown>>,
  ...flags: readonly string[]
): Promise<Ended> {
  const project = await tinyProject(config)
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text)
  const args = ['run', '-c', 'tiny.yaml', '--json', '--cache-folder', 'cache', ...flags]
  const { code, out, err } = await gembenchProcess(project, ...args)
  if (out === '') throw new Error(`exit ${code}\n${err}`)
  const { folder } = JSON.parse(out) as { folder: string }
  const { trials, scores } = await readResults(join(project, folder))
  return { code, err, project, trials, scores }
}
