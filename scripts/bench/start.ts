import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { best, type BenchRow } from './row.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** How soon the command line answers. */
export async function startBench(): Promise<readonly BenchRow[]> {
  const bare = await best(5, () => run(process.execPath, ['-e', '0']))
  const ours = await best(5, () => run(process.execPath, [cli, '--version']))
  return [
    {
      name: 'b  gembench --version',
      figure: `${ours.toFixed(3)} s`,
      goal: '< 0.25 s',
      met: ours < 0.25,
      note: `a bare node: ${bare.toFixed(3)} s`,
    },
  ]
}
