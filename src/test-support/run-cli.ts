import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IndexLine, ScoreLine, TrialLine } from '../records.ts'
import { tinyProject } from './tiny.ts'
import { cli } from './cli.ts'

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
  const args = [cli, 'run', '-c', 'tiny.yaml', '--json', '--cache-folder', 'cache', ...flags]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: project, maxBuffer: 1e9 }, (error, out, err) => {
      const code = error ? Number(error.code) : 0
      const read = async (name: string): Promise<unknown[]> => {
        const { folder } = JSON.parse(out) as { folder: string }
        const text = await readFile(join(project, folder, name), 'utf8')
        return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
      }
      Promise.all([read('trials.jsonl'), read('scores.jsonl')]).then(
        ([trials, scores]) => {
          const asked = (trials as (IndexLine | TrialLine)[]).filter((line) => line.line === 'trial')
          resolve({ code, err, project, trials: asked, scores: scores as ScoreLine[] })
        },
        (thrown: unknown) => reject(new Error(`exit ${code}\n${err}\n${String(thrown)}`)),
      )
    })
  })
}
