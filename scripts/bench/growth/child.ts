// Builds the index of one method over the chunks of a file from the sources, offline, and prints the processor's
// seconds, how much memory the process had at most, and what was asked of models.
import { readFileSync } from 'node:fs'
import { itemOf } from '../../../src/basics/loading.ts'
import { tuneEngine } from '../../../src/basics/processes.ts'
import { defineProvider } from '../../../src/models/provider.ts'
import { mulberry32, seedFrom } from '../../../src/math/random.ts'
import { methods } from '../../../src/methods/index.ts'
import { createUsageCounter, openModels, type UsageCounter } from '../../../src/models/index.ts'
import { extractive } from '../../../src/models/providers/extractive.ts'
import { tokenizer } from '../../../src/text/tokens.ts'
import { words } from '../../../src/text/words.ts'
import type { Chunk, Phase } from '../../../src/types.ts'
import { peakMemory } from '../row.ts'

const [name = '', file = ''] = process.argv.slice(2)
const method = await itemOf(methods, name)
const chunks = JSON.parse(readFileSync(file, 'utf8')) as readonly Chunk[]
tuneEngine()

/** Seconds of the processor since one moment, all threads together. */
const processorSecondsSince = (moment: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(moment)
  return (user + system) / 1e6
}
let outside = 0
/** The same function, whose time is not the method's. */
const excludeTime =
  <Given extends readonly unknown[], Result>(work: (...args: Given) => Result) =>
  (...args: Given): Result => {
    const start = process.cpuUsage()
    const result = work(...args)
    outside += processorSecondsSince(start)
    return result
  }

const dimensions = 384
const directions = new Map<string, Float32Array>()
/** A direction of its own for every word; a text is the sum of its words', of length one. */
function directionOf(word: string): Float32Array {
  const cached = directions.get(word)
  if (cached) return cached
  const random = mulberry32(seedFrom('direction', word))
  const direction = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5)
  directions.set(word, direction)
  return direction
}
function vectorOf(text: string): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const word of words(text)) {
    const direction = directionOf(word)
    for (let i = 0; i < dimensions; i++) sum[i]! += direction[i]!
  }
  const length = Math.hypot(...sum)
  if (length === 0) sum[0] = 1
  return length === 0 ? sum : sum.map((value) => value / length)
}

const complete = defineProvider({
  ...extractive,
  async open(options, context) {
    const models = await extractive.open(options, context)
    // it replies before it returns
    return {
      ...models,
      complete: excludeTime((...args: Parameters<NonNullable<typeof models.complete>>) => models.complete!(...args)),
    }
  },
})
const embed = defineProvider({
  name: 'words',
  summary: 'Sums of words.',
  can: ['embed'] as const,
  offline: true,
  options: extractive.options,
  open: async () => ({
    name: 'words',
    model: 'words',
    parameters: {},
    embed: excludeTime(async (texts: readonly string[]) => ({ vectors: texts.map(vectorOf) })),
  }),
})
const client = await openModels(
  {
    complete: { use: complete, options: {} },
    judge: { use: complete, options: {} },
    embed: { use: embed, options: {} },
  },
  { cache: null, tokenizer: tokenizer('o200k_base'), cacheFolder: '', signal: new AbortController().signal },
)
const scopeOf = (counter: UsageCounter, phase: Phase) =>
  client.scope({ phase, sample: 0, seed: ['growth'], usualSeeds: true, counter })
const options: unknown = method.options.parse({})
const query = { id: 'q', text: 'Who sold the wooden bridge near the mill, and in which year?', evidence: [] }
const budget = { passages: 5, tokens: 500 }
const peak = () => peakMemory() / 2 ** 20

// the language data and the compiled code are there before it counts
const before = createUsageCounter()
const small = await method.index(chunks.slice(0, 20), scopeOf(before, 'index'), options)
await small.retrieve(query, budget, scopeOf(before, 'retrieve'))
await small.close?.()
globalThis.gc?.()
const base = peak()
outside = 0
const meter = createUsageCounter()
let indexStart = process.cpuUsage()
const index = await method.index(chunks, scopeOf(meter, 'index'), options)
const seconds = processorSecondsSince(indexStart)
const ownSeconds = seconds - outside
indexStart = process.cpuUsage()
await index.retrieve(query, budget, scopeOf(meter, 'retrieve'))
const question = processorSecondsSince(indexStart)
const { calls, embeddingCalls = 0, promptTokens, completionTokens } = meter.usage('index')
const usage = { calls: calls - embeddingCalls, promptTokens, completionTokens }
process.stdout.write(JSON.stringify({ seconds, own: ownSeconds, question, base, peak: peak(), ...usage }))
process.exit(0)
