import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inPairs, milliseconds } from './pairs.ts'
import { seconds, type BenchRow, small } from './row.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const pairs = small ? 1 : 15
const most = 0.06

/** How soon the command line answers. */
export async function* startBench(): AsyncGenerator<BenchRow> {
  const timed = (given: readonly string[]) => () => seconds(() => run(process.execPath, given))
  const found = await inPairs(timed([cli, '--version']), timed(['-e', '0']), pairs)
  yield {
    name: 'b  gembench --version, above bare node',
    figure: milliseconds(found.apart),
    goal: `<= ${milliseconds(most)}`,
    met: found.apart <= most,
    note: `median of ${pairs} pairs; ${milliseconds(found.ours)}, bare node ${milliseconds(found.theirs)}`,
  }
}
