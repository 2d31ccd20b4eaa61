import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inPairs, milliseconds, ratioFigure } from './pairs.ts'
import { seconds, type BenchRow } from './row.ts'
import { writeProject } from './run.ts'

const run = promisify(execFile)
const child = fileURLToPath(new URL('run-child.js', import.meta.url))
const questions = 1000
const pairs = 3

/** Another harness, as it is installed and asked 1,000 questions that a function answers at once. */
interface Peer {
  readonly about: string
  /** What is given to `npm install`. */
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly command: readonly string[]
}

/** The newest that run on Node 20. */
const peers: Readonly<Record<string, Peer>> = {
  promptfoo: {
    about: 'promptfoo 0.121.20',
    // its optional packages take 1.6 GB, but for the database's own code
    packages: ['--omit=optional', 'promptfoo@0.121.20', `@libsql/${process.platform}-${process.arch}${libc()}@0.5.29`],
    files: {
      'echo.mjs':
        "export default class { id() { return 'echo' } async callApi(prompt) { return { output: `${prompt.match(/\\d+/)[0]} grams` } } }",
      'tests.json': JSON.stringify(
        Array.from({ length: questions }, (_, i) => ({
          vars: { i },
          assert: [{ type: 'equals', value: `${i} grams` }],
        })),
      ),
      'config.json': JSON.stringify({
        prompts: ['What does thing {{i}} weigh?'],
        providers: ['file://echo.mjs'],
        tests: 'file://tests.json',
      }),
    },
    command: ['promptfoo', 'eval', '-c', 'config.json', '--no-cache', '--no-table', '--no-progress-bar', '--no-write'],
  },
  evalite: {
    about: 'evalite 0.19.0',
    packages: ['evalite@0.19.0', 'vitest@4', 'better-sqlite3@11'],
    files: {
      'trivial.eval.ts': `import { evalite } from 'evalite'
evalite('trivial', {
  data: () => Array.from({ length: ${questions} }, (_, i) => ({ input: \`What does thing \${i} weigh?\`, expected: \`\${i} grams\` })),
  task: async (input) => \`\${input.match(/\\d+/)[0]} grams\`,
  scorers: [{ name: 'exact', scorer: ({ output, expected }) => Number(output === expected) }],
})`,
      // its database needs a compiler
      'evalite.config.ts': `import { defineConfig } from 'evalite/config'
import { createInMemoryStorage } from 'evalite/in-memory-storage'
export default defineConfig({ storage: () => createInMemoryStorage() })`,
    },
    command: ['evalite', 'run', 'trivial.eval.ts'],
  },
}

function libc(): string {
  return process.platform === 'linux' ? '-gnu' : ''
}

/** Whole processes on 1,000 trivial questions: ours, and other harnesses from npm where GEMBENCH_PEERS=1. */
export async function* peersBench(): AsyncGenerator<BenchRow> {
  for (const [name, peer] of Object.entries(peers)) {
    const row = { name: `${questions} trivial questions beside ${name}`, goal: '<= 1.0x' }
    if (process.env['GEMBENCH_PEERS'] === '1') yield await besideRow(row, peer)
    else yield { ...row, figure: '–', met: null, note: 'GEMBENCH_PEERS=1 installs it in a folder of its own' }
  }
}

async function besideRow(row: Pick<BenchRow, 'name' | 'goal'>, peer: Peer): Promise<BenchRow> {
  const scratch = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  const [ourFolder, peerFolder] = [join(scratch, 'own'), join(scratch, 'peer')]
  const quiet = { PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1', PROMPTFOO_CONFIG_DIR: peerFolder }
  const options = { cwd: peerFolder, env: { ...process.env, ...quiet }, maxBuffer: 2 ** 26 }
  try {
    await mkdir(ourFolder)
    await mkdir(peerFolder)
    await writeProject(ourFolder, questions)
    await writeFile(join(peerFolder, 'package.json'), '{ "private": true, "type": "module" }')
    for (const [name, text] of Object.entries(peer.files)) await writeFile(join(peerFolder, name), text)
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...peer.packages]
    await run('npm', install, options)
    const results = join(ourFolder, 'results')
    const ours = async (): Promise<number> => {
      await rm(results, { recursive: true, force: true })
      return seconds(() => run(process.execPath, [child, ourFolder], { cwd: ourFolder }))
    }
    const [program = '', ...args] = peer.command
    const theirs = () => seconds(() => run(join(peerFolder, 'node_modules', '.bin', program), args, options))
    const times = await inPairs(ours, theirs, pairs)
    return {
      ...row,
      figure: ratioFigure(times),
      met: times.ratio <= 1,
      note: `whole processes: ours ${milliseconds(times.ours)}, with retrieval and results on disk; ${peer.about} ${milliseconds(times.theirs)}; ${pairs} pairs only`,
    }
  } catch (error) {
    const message = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const why = /^.*error.*$/im.exec(message)?.[0] ?? message
    return { ...row, figure: '–', met: null, note: `could not be installed or run: ${why.trim().slice(0, 200)}` }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
