import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inPairs, milliseconds } from './pairs.ts'
import { small, type BenchRow } from './row.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(root, 'dist', 'cli.js')
const config = join(root, 'configs', 'quickstart.yaml')
const pairs = small ? 1 : 15

/** How soon the command line answers: processor time above bare node, of all processes of a command. */
export async function* startBench(): AsyncGenerator<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-start-'))
  try {
    const run = [
      'run',
      '--config',
      config,
      '--set',
      'models.embed=fake',
      '--methods',
      'bm25',
      '--limit',
      '20',
      '--quiet',
    ]
    processorSeconds([cli, ...run, '--results', folder])
    const [results = ''] = readdirSync(folder)
    const commands: readonly (readonly [most: number, ...args: string[]])[] = [
      [0.06, '--version'],
      [0.15, 'ls', 'methods'],
      [0.25, 'table', join(folder, results)],
      [0.5, 'validate', '--config', config],
    ]
    for (const [most, ...args] of commands) {
      const timeOf = (nodeArgs: readonly string[]) => () => Promise.resolve(processorSeconds(nodeArgs))
      const times = await inPairs(timeOf([cli, ...args]), timeOf(['-e', '0']), pairs)
      yield {
        name: `b  gembench ${args[0]}, above bare node`,
        figure: milliseconds(times.difference),
        goal: `<= ${milliseconds(most)}`,
        met: times.difference <= most,
        note: `processor time, median of ${pairs} pairs; ${milliseconds(times.ours)}, bare node ${milliseconds(times.theirs)}`,
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of a Node program and of all that it starts; the shell counts it. Throws an Error where the program fails. */
function processorSeconds(args: readonly string[]): number {
  const script = '"$@" > /dev/null || exit; times'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...args], {
    encoding: 'utf8',
  })
  // a line of the shell itself and a line of what it started: 0m0.51s 0m0.08s
  const times = stdout.split('\n')[1]?.match(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/)
  if (status !== 0 || !times) throw new Error(`node ${args.join(' ')}: ${stderr}`)
  const [userMinutes, user, systemMinutes, system] = times.slice(1).map(Number) as [number, number, number, number]
  return 60 * (userMinutes + systemMinutes) + user + system
}
