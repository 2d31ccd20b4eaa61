import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'engines-'))
const root = join(import.meta.dirname, '../..')

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Node of a major version from the npm registry; undefined where that cannot be had. */
function engine(major: number): string | undefined {
  const home = join(folder, `node${major}`)
  const place = ['--prefix', home, '--no-audit', '--no-fund', '--ignore-scripts=false']
  spawnSync('npm', ['install', ...place, `node@${major}`], { stdio: 'ignore', timeout: 180_000 })
  const binary = join(home, 'node_modules', '.bin', 'node')
  const { stdout, error } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return error === undefined && stdout.startsWith(`v${major}.`) ? binary : undefined
}

const rest = [20, 22, 24].filter((major) => !process.version.startsWith(`v${major}.`))
const binaries = rest.flatMap((major) => engine(major) ?? [])
const missing = binaries.length < rest.length

test.skipIf(missing)(
  `the quickstart gives the same bytes on Node 20, 22 and 24${missing ? ' (the npm registry cannot be had)' : ''}`,
  () => {
    const trialsBy = (binary: string, name: string): string => {
      const results = join(folder, name)
      // rows share calls, engines none
      const cache = join(folder, `cache of ${name}`)
      const flags = ['--cache-folder', cache, '--quiet', '--results', results]
      execFileSync(binary, [join(root, 'dist/cli.js'), 'run', '--config', 'configs/quickstart.yaml', ...flags], {
        cwd: root,
        stdio: 'ignore',
      })
      return readFileSync(join(results, readdirSync(results)[0]!, 'trials.jsonl'), 'utf8')
    }
    const ours = trialsBy(process.execPath, 'ours')
    for (const [place, binary] of binaries.entries()) expect(trialsBy(binary, `other${place}`) === ours).toBe(true)
  },
  1_200_000,
)
