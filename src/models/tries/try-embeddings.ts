import { cosine } from '../../math/vectors.ts'
import {
  changeAfter,
  mostTexts,
  reasonOf,
  shown,
  triedSizes,
  type Bench,
  type Finding,
  type Outcome,
  type TryCosts,
} from './bench.ts'
import type { Embeddings } from '../provider.ts'

/** Tokens of a text that is as long as the longest that a run embeds or reranks. */
export interface WantedEmbeddings {
  readonly longest: number
}

/** The most that `tryEmbeddings` asks for, besides what the server refuses. */
export async function costsOfEmbeddings(bench: Bench, { longest }: WantedEmbeddings): Promise<TryCosts> {
  const texts = [first, ...batchOf(await mostTexts(bench)), first, ...longTexts(longest, bench)]
  return {
    ...{ calls: 'encodingFormat' in bench.options() ? 4 : 3, promptTokens: 0, completionTokens: 0 },
    embeddedTokens: texts.reduce((sum, text) => sum + bench.tokenizer.count(text), 0),
  }
}

/** Tries a model that embeds, and gives each finding as it is made; changes the bench's options to what works. */
export async function* tryEmbeddings(bench: Bench, { longest }: WantedEmbeddings): AsyncGenerator<Finding> {
  const { vector, findings } = await firstCall(bench)
  yield* findings
  if (!vector) return
  const steps = [() => tryBatch(bench, vector), () => tryEncoding(bench, vector), () => tryLongText(bench, longest)]
  for (const step of steps) if (!bench.isLost()) yield* await step()
}

const first = 'The ferry leaves at nine.'

/** Texts of which the first and the last are equal. */
const batchOf = (size: number): readonly string[] => [
  first,
  ...Array.from({ length: Math.max(0, size - 2) }, (_, at) => `Note ${at}: the keeper counted ${at * 7} ships.`),
  ...(size > 1 ? [first] : []),
]

interface FirstVector {
  readonly findings: readonly Finding[]
  /** Absent where the server gives none. */
  readonly vector?: Float32Array
}

/** The vector of one text, and the options with which the server gives it. */
async function firstCall(bench: Bench): Promise<FirstVector> {
  const findings: Finding[] = []
  for (;;) {
    const options = bench.options()
    const made = await bench.embed([first])
    const vector = vectorsIn(made)?.[0]
    if (vector) {
      const size = sizeOf(vector)
      return { findings: [...findings, size], ...(size.works === 'yes' && { vector }) }
    }
    const error = 'error' in made ? made.error : undefined
    const change = error && changeAfter(error)
    const [name = ''] = Object.keys(change ?? {})
    if (!error || !change || options[name] === undefined || options[name] === change[name]) {
      const said = error ? reasonOf(error) : 'the reply holds no vector'
      return { findings: [...findings, { what: 'first call', works: 'no', said }] }
    }
    findings.push({ what: name, works: 'no', said: `${shown(options[name])} is refused (${error.message})` })
    bench.change(change)
  }
}

const vectorsIn = (made: Outcome<Embeddings>): readonly Float32Array[] | undefined =>
  'value' in made ? made.value.vectors : undefined

function sizeOf(vector: Float32Array): Finding {
  const isUsable = vector.length > 0 && vector.every((value) => Number.isFinite(value)) && vector.some(Boolean)
  return isUsable
    ? { what: 'first call', works: 'yes', said: `answered; a vector has ${vector.length} numbers` }
    : {
        what: 'first call',
        works: 'no',
        said: `the vector has ${vector.length} parts that are no numbers or all 0: a server may give one vector for each token, and needs a pooling (--pooling of llama.cpp)`,
      }
}

/** Vectors this near count as the same: servers compute in batches, which changes last digits. */
const alike = 0.9999

const areAlike = (a: Float32Array | undefined, b: Float32Array | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && cosine(a, b) > alike

/** As many texts in a request as the config asks for, or else as many as the server takes. */
async function tryBatch(bench: Bench, alone: Float32Array): Promise<readonly Finding[]> {
  const wanted = await mostTexts(bench)
  let refused: string | undefined
  for (const size of triedSizes(wanted)) {
    const texts = batchOf(size)
    const made = await bench.embed(texts)
    const vectors = vectorsIn(made)
    if (!vectors || vectors.length !== texts.length) {
      refused ??= 'error' in made ? made.error.message : `${vectors?.length ?? 0} vectors for ${texts.length} texts`
      if (bench.isLost()) break
      continue
    }
    if (size < wanted) bench.change({ textsPerRequest: size })
    const seconds = 'seconds' in made ? made.seconds : 0
    const speed = `${(texts.length / Math.max(seconds, 1e-3)).toFixed(0)} short texts a second`
    const batch: Finding =
      size < wanted
        ? { what: 'batch', works: 'no', said: `${wanted} texts are refused (${refused ?? ''}); ${size} work, ${speed}` }
        : { what: 'batch', works: 'yes', said: `${plural(size)} in one request, ${speed}` }
    return [batch, equality(vectors, alone)]
  }
  return [{ what: 'batch', works: 'no', said: refused ?? 'no number of texts is taken' }]
}

const plural = (texts: number): string => (texts === 1 ? '1 text' : `${texts} texts`)

function equality(vectors: readonly Float32Array[], alone: Float32Array): Finding {
  const what = 'equal texts'
  const [own, other] = vectors
  if (vectors.length > 2 && areAlike(own, other))
    return { what, works: 'no', said: 'different texts have the same vector, too: this is no embedder' }
  return areAlike(own, vectors.at(-1)) && areAlike(own, alone)
    ? { what, works: 'yes', said: 'have equal vectors, in one request and alone' }
    : { what, works: 'but', said: 'have different vectors: they depend on what else stands in the request' }
}

/** Whether the other encoding of vectors gives the same. */
async function tryEncoding(bench: Bench, alone: Float32Array): Promise<readonly Finding[]> {
  const { encodingFormat } = bench.options()
  if (encodingFormat === undefined) return []
  const other = encodingFormat === 'base64' ? 'float' : 'base64'
  const made = await bench.embed([first], { encodingFormat: other })
  const vector = vectorsIn(made)?.[0]
  if (areAlike(vector, alone)) return [{ what: other, works: 'yes', said: `works, too (encodingFormat: ${other})` }]
  const why = 'error' in made ? made.error.message : 'gives other vectors'
  return [{ what: other, works: 'but', said: `does not work: ${why}` }]
}

/** Two texts of so many tokens that differ at their ends alone. */
export function longTexts(tokens: number, { tokenizer }: Pick<Bench, 'tokenizer'>): readonly [string, string] {
  const note = (day: number): string => `On day ${day} the ferry took ${(day * 37) % 91} people to the island.`
  const notes = Math.max(1, Math.floor(tokens / tokenizer.count(note(100))) - 1)
  const text = Array.from({ length: notes }, (_, day) => note(day + 1)).join(' ')
  return [`${text} Then the storm broke the bridge.`, `${text} The bakery sells bread from rye.`]
}

/** Whether a long text is read to its end. */
async function tryLongText(bench: Bench, longest: number): Promise<readonly Finding[]> {
  const what = 'long text'
  const texts = longTexts(longest, bench)
  const made = await bench.embed(texts)
  const [a, b] = vectorsIn(made) ?? []
  if (!a || !b) {
    const why = 'error' in made ? reasonOf(made.error) : 'no vectors came'
    return [{ what, works: 'no', said: `of about ${longest} tokens: ${why}; make chunks smaller` }]
  }
  return a.every((value, at) => value === b[at])
    ? [
        {
          ...{ what, works: 'no' },
          said: `of about ${longest} tokens is not read to its end: another ending gives the same vector; make chunks smaller, or set "window" to what the model reads, and cut text is counted`,
        },
      ]
    : [{ what, works: 'yes', said: `of about ${longest} tokens is read to its end` }]
}
