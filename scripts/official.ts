/** `npm run official -- -c CONFIG`: compares a run with the official scripts; exit code 1 where they differ. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../src/cli/terminal/format-table.ts'
import { readConfig } from '../src/config/index.ts'
import { UserError } from '../src/errors.ts'
import { registries, run } from '../src/run/index.ts'
import { checkRun, type CheckedRow } from '../src/test-support/official/check-run.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      config: { type: 'string', short: 'c', multiple: true, default: [] },
      results: { type: 'string', default: 'results' },
      set: { type: 'string', multiple: true, default: [] },
      limit: { type: 'string' },
      'cache-folder': { type: 'string', default: '.cache' },
    },
  })
  const { config, results, set, limit, 'cache-folder': cacheFolder } = values
  const options = limit === undefined ? {} : { limit: Number(limit) }
  const plan = await readConfig(config, { set, ...options, cwd: process.cwd(), environment: process.env }, registries)
  const signal = new AbortController().signal
  const settings = { results, cacheFolder: resolve(cacheFolder), cache: true, signal }
  const { folder } = await run(plan, settings)
  const { rows, notCompared } = await checkRun(plan, settings)
  print(`${folder}: scores.jsonl against the official evaluation scripts, from the texts\n`)
  print(gridOf(rows))
  for (const { row, differences } of rows)
    for (const { question, metric, ours, official } of differences.slice(0, 3))
      print(`${row}, question ${question}, ${metric}: ${ours}, and officially ${official}`)
  if (notCompared.length > 0) print(`No official script measures: ${notCompared.join(', ')}`)
  return rows.some(({ differences }) => differences.length > 0) ? 1 : 0
}

const gridOf = (rows: readonly CheckedRow[]): string =>
  formatTable({
    head: ['method', 'trials compared', 'scores compared', 'skipped', 'failed', 'differences'],
    rows: rows.map(({ row, trials, scores, skipped, failed, differences }) =>
      [row, trials, scores, skipped, failed, differences.length].map((cell) => ({ text: String(cell) })),
    ),
  })

const print = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  process.exitCode = await main()
} catch (error) {
  // parseArgs says what is wrong with the flags in a TypeError
  if (!(error instanceof UserError || error instanceof TypeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
