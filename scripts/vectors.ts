/** `npm run vectors [-- FOLDER]`: the golden tests on the vectors of a folder, or else of the reference shelf. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, '../shared/vectors'))
if (!existsSync(folder)) {
  process.stderr.write(`no vectors at ${folder}: name a folder, npm run vectors -- FOLDER\n`)
  process.exit(2)
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', '.ci/vitest.config.ts', 'golden'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, GEMBENCH_VECTORS: folder },
})

const tests = ['src', 'scripts']
  .flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
  )
  .filter((file) => file.includes('golden') && file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')
for (const name of readdirSync(folder).filter((item) => item.endsWith('.json'))) {
  const { cases = [] } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
    readonly cases?: { metric: string }[]
  }
  const untestedMetrics = [...new Set(cases.map(({ metric }) => metric))].filter(
    (metric) => !tests.includes(`'${metric}'`),
  )
  if (untestedMetrics.length > 0) process.stdout.write(`${name}: no test replays ${untestedMetrics.join(', ')}\n`)
}
process.exit(status ?? 1)
