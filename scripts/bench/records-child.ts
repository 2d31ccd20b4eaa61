// Builds the record graph of a document of so many tokens from the sources, offline, and prints how long it took and how much memory at most.
import { chunk } from '../../src/chunking/index.ts'
import { build } from '../../src/methods/graph-of-records/build.ts'
import { recordOptions } from '../../src/methods/graph-of-records/options.ts'
import { offlineModels } from '../../src/testing/offline-models.ts'
import { tokenizer } from '../../src/text/tokens.ts'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { peakMemory } from './peak-memory.ts'
import { fileURLToPath } from 'node:url'

const tokens = Number(process.argv[2])
const words = tokenizer('o200k_base')
const folder = fileURLToPath(new URL('../../datasets/sample/documents', import.meta.url))
const sample = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
let text = ''
// the sample again and again, each time under another heading, so that no two chunks are equal
for (let part = 1; words.count(text) < tokens; part++) text += `Part ${part}\n\n${sample[part % sample.length]!}\n\n`
const chunks = chunk({ id: 'long', text }, 0, { size: 256, overlap: 32, by: 'tokens' }, words)
const offline = await offlineModels()
const started = performance.now()
const [graph] = await build(chunks, offline.models(), recordOptions.parse({}))
const seconds = (performance.now() - started) / 1000
if (!graph) throw new Error('no record graph was built')
const { nodes, simulated } = graph
const megabytes = peakMemory() / 2 ** 20
process.stdout.write(
  JSON.stringify({ seconds, megabytes, chunks: chunks.length, nodes: nodes.length, queries: simulated.queries.length }),
)
process.exit(0)
