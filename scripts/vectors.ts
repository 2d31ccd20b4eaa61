import { existsSync } from 'node:fs'
import { UserError } from '../src/errors.ts'
import { gemTiny } from './vectors/gem.ts'
import { metrics } from './vectors/metrics.ts'
import { readVectors, type Vectors, add, nothing, runCases, type Tally } from './vectors/run.ts'
/** The reference shelf, where it stands beside the repository. */
const shelf = [
  'metrics.json',
  'graph.json',
  'gem-tiny.json',
  'statistics.json',
  'graphrag.json',
  'graph-of-records.json',
].map((name) => new URL(`../../shared/vectors/${name}`, import.meta.url).pathname)

async function main(named: readonly string[]): Promise<number> {
  const files = named.length > 0 ? named : shelf.filter((file) => existsSync(file))
  if (files.length === 0) throw new UserError('no vectors beside this repository: name a file, npm run vectors -- FILE')
  const read = files.map((file) => ({ file, vectors: readVectors(file) }))
  let total = nothing
  for (const { file, vectors } of read) total = add(total, report(file, await tallyOf(vectors)))
  console.log(`${total.passed} passed, ${total.failed.length} failed, ${total.skipped.length} skipped`)
  return total.failed.length > 0 ? 1 : 0
}

const tallyOf = (vectors: Vectors): Promise<Tally> =>
  vectors.format === 'cases' ? runCases(vectors.cases, metrics) : gemTiny(vectors.content)

function report(file: string, tally: Tally): Tally {
  console.log(file)
  for (const { id, differences } of tally.failed) {
    for (const { path, expected, got } of differences) {
      console.log(`  FAILED ${id} ${path}: expected ${expected}, got ${got}`)
    }
  }
  for (const metric of new Set(tally.skipped)) {
    console.log(`  skipped ${metric}: ${tally.skipped.filter((one) => one === metric).length}`)
  }
  return tally
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
