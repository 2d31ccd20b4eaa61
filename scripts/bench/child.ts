// Does one task in a process of its own and prints what came of it as JSON: child.ts TASK ARGUMENT…
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { peakMemory } from './row.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const tasks: Readonly<Record<string, (...args: readonly string[]) => Promise<object>>> = { spectrum, records, servers }

/** Two eigenpairs of N nodes in D dimensions, and the peak resident memory in bytes. */
async function spectrum(n: string, d: string): Promise<object> {
  const { graphOperator } = await import('../../src/math/spectrum/graph-operator.ts')
  const { leadingEigenpairs } = await import('../../src/math/spectrum/leading-eigenpairs.ts')
  const { clusteredFactors } = await import('../../src/test-support/clustered-factors.ts')
  const factors = clusteredFactors({ n: Number(n), d: Number(d) })
  const start = performance.now()
  const operator = graphOperator(factors)
  const { converged } = leadingEigenpairs(operator, 2)
  const seconds = (performance.now() - start) / 1000
  return { seconds, peak: peakMemory(), converged, form: operator.form }
}

/** The record graph of a document of so many tokens, offline, and the peak resident memory in megabytes. */
async function records(tokens: string): Promise<object> {
  const { chunk } = await import('../../src/chunking/index.ts')
  const { build } = await import('../../src/methods/graph-of-records/build.ts')
  const { offlineModels } = await import('../../src/testing/fake-models.ts')
  const { tokenizer } = await import('../../src/text/tokens.ts')
  const words = tokenizer('o200k_base')
  const folder = join(root, 'datasets', 'sample', 'documents')
  const sample = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  let text = ''
  // the sample again and again, each time under another heading, so that no two chunks are equal
  for (let part = 1; words.count(text) < Number(tokens); part++)
    text += `Part ${part}\n\n${sample[part % sample.length]!}\n\n`
  const chunks = chunk({ id: 'long', text }, 0, { size: 256, overlap: 32, by: 'tokens' }, words)
  const models = await offlineModels()
  const start = performance.now()
  const [graph] = await build(chunks, models)
  const seconds = (performance.now() - start) / 1000
  if (!graph) throw new Error('no record graph was built')
  const megabytes = peakMemory() / 2 ** 20
  return { seconds, megabytes, chunks: chunks.length, queries: graph.simulation.queries.length }
}

/** A server that answers after some milliseconds and one that answers at once, until the process is ended. */
async function servers(milliseconds: string): Promise<object> {
  const { fakeServer } = await import('../../src/test-support/servers/server.ts')
  const [slow, fast] = [await fakeServer({ latencyMs: Number(milliseconds) }), await fakeServer()]
  return { url: slow.url, fast: fast.url }
}

const [name = '', ...childArgs] = process.argv.slice(2)
const task = tasks[name]
if (!task) throw new Error(`no task "${name}"`)
process.stdout.write(`${JSON.stringify(await task(...childArgs))}\n`)
if (task !== servers) process.exit(0)
