// Indexes passages by one method, and asks it; prints times and the most memory.
import { createReadStream, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { itemOf } from '../../../src/basics/loading.ts'
import { tuneEngine } from '../../../src/basics/processes.ts'
import { methods } from '../../../src/methods/index.ts'
import { fakeModels } from '../../../src/testing/fake-models.ts'
import type { Chunk } from '../../../src/types.ts'
import { median } from '../pairs.ts'
import { peakMemory } from '../row.ts'
import { columns, depth, questionAt, questions } from './passages.ts'

const [name = '', texts = '', rows = '', store = ''] = process.argv.slice(2)
tuneEngine()
const method = await itemOf(methods, name)
const chunks: Chunk[] = []
for await (const text of createInterface({ input: createReadStream(texts) })) {
  const row = chunks.length
  chunks.push({ id: `${row}`, documentId: `${row}`, position: 0, start: 0, end: text.length, text, tokens: 0 })
}
/** The vectors of passages in their order, then those of the questions, from the file. */
const file = openSync(rows, 'r')
let next = 0
const models = {
  ...fakeModels(),
  embed: async (requests: readonly string[]) => {
    const data = new Float32Array(requests.length * columns)
    readSync(file, data, 0, data.byteLength, 4 * columns * next)
    next += requests.length
    return requests.map((_, row) => data.subarray(row * columns, (row + 1) * columns))
  },
}

const seconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const start = { clock: performance.now(), processor: seconds() }
const options = method.options.parse(
  name === 'bm25' ? { analyser: 'plain' } : store === '' ? {} : { store: JSON.parse(store) as unknown },
)
const index = await method.index(chunks, models, options)
const clock = (performance.now() - start.clock) / 1000
const processor = seconds() - start.processor
const duration: { clock: number; processor: number }[] = []
const results: (readonly [row: number, score: number])[][] = []
for (let place = 0; place < questions; place++) {
  const began = { clock: performance.now(), processor: seconds() }
  const query = { id: `${place}`, text: questionAt(place) }
  const passages = await index.retrieve(query, { passages: depth, tokens: Infinity }, models)
  duration.push({ clock: performance.now() - began.clock, processor: 1000 * (seconds() - began.processor) })
  results.push(passages.map(({ from, score }) => [Number(from[0]), score]))
}
await index.close?.()
process.stdout.write(
  JSON.stringify({
    clock,
    processor,
    peak: peakMemory() / 1e6,
    found: results,
    store: index.stats?.()['store'],
    question: median(duration.map((item) => item.clock)),
    questionProcessor: median(duration.map((item) => item.processor)),
  }),
)
process.exit(0)
