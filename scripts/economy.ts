import { sample } from '../src/datasets/sample/sample.ts'
import { createUsageCounter, openModels } from '../src/models/index.ts'
import { extractive } from '../src/models/providers/extractive.ts'
import { defineProvider } from '../src/models/provider.ts'
import { chunkCorpus } from '../src/run/execute/chunk-corpus.ts'
import { registries } from '../src/run/plug-ins/registries.ts'
import { tokenizer } from '../src/text/tokens.ts'
import type { Chunk, Method } from '../src/types.ts'

/** What an index asks of a language model. */
export interface Economy {
  readonly method: string
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Share of the prompt tokens with which an earlier prompt of the index began, too. */
  readonly repeatedTokens: number
  /** The same of prefixes alone that are long enough for OpenAI's servers to keep. */
  readonly repeatedByMany: number
}

/** The shortest prefix that OpenAI's servers keep, in tokens. */
export const leastCachedPrefix = 1024

/** The calls of the sample dataset's index of every method of a paper that asks a language model, with its defaults. */
export async function economy(only?: readonly string[]): Promise<readonly Economy[]> {
  const corpus = await sampleChunks()
  const results: Economy[] = []
  for (const method of await registries.methods.all()) {
    const { name, paper, tasks } = method
    if (paper === undefined || !tasks || only?.includes(name) === false) continue
    const measurement = await economyOf(method, corpus)
    if (measurement.calls > 0) results.push(measurement)
  }
  return results
}

async function sampleChunks(): Promise<readonly Chunk[]> {
  const options = sample.options.parse({})
  const results: Chunk[] = []
  for await (const corpus of sample.corpora('datasets/sample', options))
    results.push(...chunkCorpus(corpus, { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' }).chunks)
  return results
}

async function economyOf(method: Method, corpus: readonly Chunk[]): Promise<Economy> {
  const prompts: string[] = []
  const complete = {
    use: defineProvider({
      ...extractive,
      async open(options, context) {
        const provider = await extractive.open(options, context)
        return {
          ...provider,
          complete(request, signal) {
            prompts.push(request.prompt.messages.map(({ content }) => content).join('\n'))
            return provider.complete!(request, signal)
          },
        }
      },
    }),
    options: {},
  }
  const counter = tokenizer('o200k_base')
  const opened = await openModels(
    { complete, judge: complete, embed: { use: 'fake', options: {} } },
    { cache: null, tokenizer: counter, cacheFolder: '', signal: new AbortController().signal },
  )
  const meter = createUsageCounter()
  const models = opened.scope({ phase: 'index', sample: 0, seed: ['economy'], usualSeeds: true, counter: meter })
  await method.index(corpus, models, method.options.parse({}))
  await opened.close()
  const { calls: all, embeddingCalls = 0, promptTokens, completionTokens } = meter.usage('index')
  const prefixes = repeatedPrefixes(prompts).map((prefix) => counter.count(prefix))
  const share = (tokens: readonly number[]) => tokens.reduce((sum, item) => sum + item, 0) / promptTokens
  return {
    method: method.name,
    calls: all - embeddingCalls,
    promptTokens,
    completionTokens,
    repeatedTokens: share(prefixes),
    repeatedByMany: share(prefixes.filter((tokens) => tokens >= leastCachedPrefix)),
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

function placeOf(text: string, sortedTexts: readonly string[]): number {
  let [low, high] = [0, sortedTexts.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((sortedTexts[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

function common(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return Math.min(length, b.length)
}
