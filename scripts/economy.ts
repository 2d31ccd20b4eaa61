import { tasksOf } from '../src/define.ts'
import { sample } from '../src/datasets/sample/sample.ts'
import { createMeter, openModels } from '../src/models/index.ts'
import { extractive } from '../src/models/providers/extractive.ts'
import { defineProvider } from '../src/models/provider.ts'
import { chunkCorpus } from '../src/run/asking/chunk-corpus.ts'
import { menus } from '../src/run/plug-ins/menus.ts'
import { tokenizer } from '../src/text/tokens.ts'
import type { Chunk, IndexStats, Method, PaperCalls } from '../src/types.ts'

/** What an index asks of a language model, beside the calls that its paper would make for the same. */
export interface Economy {
  readonly method: string
  readonly formula: string
  readonly paperCalls: number
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Share of the prompt tokens with which an earlier prompt of the index began, too. */
  readonly repeated: number
  /** The same of prefixes alone that are long enough for OpenAI's servers to keep. */
  readonly repeatedByMany: number
}

/** The shortest prefix that OpenAI's servers keep, in tokens. */
export const leastKept = 1024

/** The calls of the sample dataset's index of every method that asks a language model, with its default options. */
export async function economy(only?: readonly string[]): Promise<readonly Economy[]> {
  const corpus = await sampleChunks()
  const found: Economy[] = []
  for (const method of await menus.methods.all()) {
    const { name, paperCalls } = method
    if (!paperCalls || only?.includes(name) === false) continue
    found.push(await economyOf(method, paperCalls, corpus))
  }
  return found
}

/** Methods that are expected to ask a language model at the index and that have no formula: none may be. */
export async function withoutFormula(): Promise<readonly string[]> {
  const chunks = await sampleChunks()
  const facts = {
    chunks,
    queries: [],
    budget: { passages: 5, tokens: 500 },
    countTokens: (text: string) => text.length,
  }
  return (await menus.methods.all()).flatMap((method) => {
    const options = method.options.parse({})
    if (method.paperCalls || !method.paper || method.program || tasksOf(method, options).length === 0) return []
    const costs = method.costs(facts, options)
    // of a method that asks another one, which is not named here, nothing is known
    if (costs === 'unknown') return []
    return costs.index.every(({ completionTokens }) => completionTokens.high === 0) ? [] : [method.name]
  })
}

async function sampleChunks(): Promise<readonly Chunk[]> {
  const options = sample.options.parse({})
  const found: Chunk[] = []
  for await (const corpus of sample.corpora('datasets/sample', options))
    found.push(...chunkCorpus(corpus, { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' }).chunks)
  return found
}

async function economyOf(method: Method, { formula, count }: PaperCalls, corpus: readonly Chunk[]): Promise<Economy> {
  const prompts: string[] = []
  const complete = {
    use: defineProvider({
      ...extractive,
      async open(options, context) {
        const opened = await extractive.open(options, context)
        return {
          ...opened,
          complete(request, signal) {
            prompts.push(request.prompt.messages.map(({ content }) => content).join('\n'))
            return opened.complete!(request, signal)
          },
        }
      },
    }),
    options: {},
  }
  const counter = tokenizer('o200k_base')
  const opened = await openModels(
    { complete, judge: complete, embed: { use: 'fake', options: { dimensions: 256 } } },
    { cache: null, tokenizer: counter, cacheFolder: '', signal: new AbortController().signal },
  )
  const meter = createMeter()
  const models = opened.scope({ phase: 'index', sample: 0, seed: ['economy'], usualSeeds: true, meter })
  const index = await method.index(corpus, models, method.options.parse({}))
  await opened.close()
  const { calls: all, embeddingCalls = 0, promptTokens, completionTokens } = meter.usage('index')
  const prefixes = repeatedPrefixes(prompts).map((prefix) => counter.count(prefix))
  const share = (tokens: readonly number[]) => tokens.reduce((sum, one) => sum + one, 0) / promptTokens
  return {
    ...{ method: method.name, formula, paperCalls: count(corpus.length, statsOf(method, index.stats?.())) },
    ...{ calls: all - embeddingCalls, promptTokens, completionTokens },
    ...{ repeated: share(prefixes), repeatedByMany: share(prefixes.filter((tokens) => tokens >= leastKept)) },
  }
}

function statsOf({ name: method }: Method, stats: IndexStats = {}): (name: string) => number {
  return (name) => {
    const value = stats[name]
    if (typeof value !== 'number') throw new Error(`${method}: the index has no statistic "${name}"`)
    return value
  }
}

/** Of each prompt, in the order in which they were asked, the longest beginning that an earlier one has, too. */
export function repeatedPrefixes(prompts: readonly string[]): readonly string[] {
  const earlier: string[] = []
  return prompts.map((prompt) => {
    // of sorted texts, those with the longest common beginning are neighbours
    const place = placeOf(prompt, earlier)
    const length = Math.max(common(prompt, earlier[place - 1] ?? ''), common(prompt, earlier[place] ?? ''))
    earlier.splice(place, 0, prompt)
    return prompt.slice(0, length)
  })
}

function placeOf(text: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

function common(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return Math.min(length, b.length)
}
