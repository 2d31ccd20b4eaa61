import { itemAt } from '../../basics/collections.ts'
import { cosine } from '../../math/vectors.ts'
import type { Embeddings } from '../provider.ts'
import {
  but,
  changeAfter,
  no,
  reasonOf,
  shown,
  yes,
  type Bench,
  type Finding,
  type Outcome,
  type TryCosts,
} from './bench.ts'

/** Texts in one request: as the model's options say. */
const mostTexts = async (bench: Bench): Promise<number> => (await bench.open()).batch ?? 32

/** Half as many each time. */
function* triedSizes(wanted: number): Generator<number> {
  for (let size = wanted; size >= 1; size = Math.floor(size / 2)) yield size
}

/** The most that `tryEmbeddings` asks for, besides what the server refuses; `longest`: tokens of the longest text. */
export async function costsOfEmbeddings(bench: Bench, longest: number): Promise<TryCosts> {
  const texts = [first, ...batchOf(await mostTexts(bench)), first, ...longTexts(longest, bench)]
  return {
    ...{ calls: 'encodingFormat' in bench.options() ? 4 : 3, promptTokens: 0, completionTokens: 0 },
    embeddedTokens: texts.reduce((sum, text) => sum + bench.tokenizer.count(text), 0),
  }
}

/** Tries a model that embeds, and gives each finding as it is made; changes the bench's options to what works. */
export async function* tryEmbeddings(bench: Bench, longest: number): AsyncGenerator<Finding> {
  const { vector, findings } = await firstCall(bench)
  yield* findings
  if (!vector) return
  const steps = [() => tryBatch(bench, vector), () => tryEncoding(bench, vector)]
  for (const step of steps) if (!bench.isLost()) yield* await step()
  if (!bench.isLost()) yield await tryLongText(bench, longest)
}

const first = 'The ferry leaves at nine.'

/** Texts of which the first and the last are equal. */
const batchOf = (size: number): readonly string[] => [
  first,
  ...Array.from({ length: Math.max(0, size - 2) }, (_, at) => `Note ${at}: the keeper counted ${at * 7} ships.`),
  ...(size > 1 ? [first] : []),
]

/** The vector of one text, where the server gives one, and the options with which it does. */
async function firstCall(bench: Bench): Promise<{ findings: readonly Finding[]; vector?: Float32Array }> {
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
      return { findings: [...findings, no('first call', said)] }
    }
    findings.push(no(name, `${shown(options[name])} is refused (${error.message})`))
    bench.change(change)
  }
}

const vectorsIn = (made: Outcome<Embeddings>): readonly Float32Array[] | undefined =>
  'value' in made ? made.value.vectors : undefined

function sizeOf(vector: Float32Array): Finding {
  const isUsable = vector.length > 0 && vector.every(Number.isFinite) && vector.some(Boolean)
  return isUsable
    ? yes('first call', `answered; a vector has ${vector.length} numbers`)
    : no(
        'first call',
        `the vector has ${vector.length} parts that are no numbers or all 0: a server may give one vector for each token, and needs a pooling (--pooling of llama.cpp)`,
      )
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
    const batch =
      refused !== undefined
        ? no('batch', `${wanted} texts are refused (${refused}); ${size} work, ${speed}`)
        : yes('batch', `${size === 1 ? '1 text' : `${size} texts`} in one request, ${speed}`)
    return [batch, equality(vectors, alone)]
  }
  return [no('batch', refused ?? 'no number of texts is taken')]
}

function equality(vectors: readonly Float32Array[], alone: Float32Array): Finding {
  const what = 'equal texts'
  const [own, other] = vectors
  if (vectors.length > 2 && areAlike(own, other))
    return no(what, 'different texts have the same vector, too: this is no embedder')
  return areAlike(own, vectors.at(-1)) && areAlike(own, alone)
    ? yes(what, 'have equal vectors, in one request and alone')
    : but(what, 'have different vectors: they depend on what else stands in the request')
}

/** Whether the other encoding of vectors gives the same. */
async function tryEncoding(bench: Bench, alone: Float32Array): Promise<readonly Finding[]> {
  const { encodingFormat } = bench.options()
  if (encodingFormat === undefined) return []
  const other = encodingFormat === 'base64' ? 'float' : 'base64'
  const made = await bench.embed([first], { encodingFormat: other })
  if (areAlike(vectorsIn(made)?.[0], alone)) return [yes(other, `works, too (encodingFormat: ${other})`)]
  const why = 'error' in made ? made.error.message : 'gives other vectors'
  return [but(other, `does not work: ${why}`)]
}

/** Two texts of so many tokens that differ at their ends alone. */
function longTexts(tokens: number, { tokenizer }: Pick<Bench, 'tokenizer'>): readonly [string, string] {
  const note = (day: number): string => `On day ${day} the ferry took ${(day * 37) % 91} people to the island.`
  const notes = Math.max(1, Math.floor(tokens / tokenizer.count(note(100))) - 1)
  const text = Array.from({ length: notes }, (_, day) => note(day + 1)).join(' ')
  return [`${text} Then the storm broke the bridge.`, `${text} The bakery sells bread from rye.`]
}

/** Whether a long text is read to its end. */
async function tryLongText(bench: Bench, longest: number): Promise<Finding> {
  const made = await bench.embed(longTexts(longest, bench))
  const [a, b] = vectorsIn(made) ?? []
  const same = a && b && a.every((value, at) => value === b[at])
  const remedy = 'make chunks smaller, or set "window" to what the model reads, and cut text is counted'
  return readToEnd(longest, made, 'vectors', same, `gives the same vector; ${remedy}`)
}

/** `same`: whether texts with other endings have one result; undefined where none came. `said`: what that means. */
function readToEnd(
  longest: number,
  made: Outcome<Embeddings>,
  results: 'vectors' | 'scores',
  same: boolean | undefined,
  said: string,
): Finding {
  const [what, length] = ['long text', `of about ${longest} tokens`]
  if (same === false) return yes(what, `${length} is read to its end`)
  if (same) return no(what, `${length} is not read to its end: another ending ${said}`)
  const why = 'error' in made ? reasonOf(made.error) : `no ${results} came`
  return no(what, `${length}: ${why}; make chunks smaller`)
}

const question = 'When does the ferry leave?'
/** Of two long texts, which differ at their ends. */
const onEnding = 'Did the storm break the bridge?'
const others = ['The bakery sells bread from rye.', 'A heron stands in the reeds.'] as const
const rankedBatch = (size: number): readonly string[] => [
  first,
  ...Array.from({ length: size - 1 }, (_, at) => `${itemAt(others, at % others.length)} ${at}`),
]

/** The most that `tryReranking` asks for, besides what the server refuses. */
export async function costsOfReranking(bench: Bench, longest: number): Promise<TryCosts> {
  const count = (text: string): number => bench.tokenizer.count(text)
  const tokensOf = (asked: string, texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + count(asked) + count(text), 0)
  const short = [first, ...others, ...rankedBatch(await mostTexts(bench))]
  const promptTokens = tokensOf(question, short) + tokensOf(onEnding, longTexts(longest, bench))
  return { calls: 3, promptTokens, completionTokens: 0, embeddedTokens: 0 }
}

/** Tries a model that scores texts for a question; changes the bench's options to what works. */
export async function* tryReranking(bench: Bench, longest: number): AsyncGenerator<Finding> {
  const answered = await tryRanking(bench)
  yield answered
  if (answered.works === 'no') return
  const steps = [() => tryRankedBatch(bench), () => tryLongRanking(bench, longest)]
  for (const step of steps) if (!bench.isLost()) yield await step()
}

const scoresIn = (made: Outcome<Embeddings>, count: number): readonly number[] | undefined =>
  'value' in made && made.value.vectors.length === count ? made.value.vectors.map(([score = NaN]) => score) : undefined

async function tryRanking(bench: Bench): Promise<Finding> {
  const what = 'first call'
  const made = await bench.rerank(question, [others[0], first, others[1]])
  const scores = scoresIn(made, 3)
  if (!scores) return no(what, 'error' in made ? reasonOf(made.error) : 'the reply lacks scores')
  const [a, best, b] = [itemAt(scores, 0), itemAt(scores, 1), itemAt(scores, 2)]
  return best > a && best > b
    ? yes(what, 'answered; the text that answers the question has the highest score')
    : but(
        what,
        `answered, but a text that does not answer the question has the highest score (${scores.map((one) => one.toPrecision(3)).join(', ')}): is it a rerank model?`,
      )
}

/** As many texts in a request as the config asks for, or else as many as the server takes. */
async function tryRankedBatch(bench: Bench): Promise<Finding> {
  const what = 'batch'
  const wanted = await mostTexts(bench)
  let refused = 'no number of texts is taken'
  for (const size of triedSizes(wanted)) {
    const made = await bench.rerank(question, rankedBatch(size))
    if (scoresIn(made, size)) {
      if (size === wanted) return yes(what, `${wanted} texts in one request`)
      bench.change({ textsPerRequest: size })
      return no(what, `${wanted} texts are refused (${refused}); ${size} work`)
    }
    if (size === wanted && 'error' in made) refused = made.error.message
    if (bench.isLost()) break
  }
  return no(what, refused)
}

/** Whether a long text is read to its end. */
async function tryLongRanking(bench: Bench, longest: number): Promise<Finding> {
  const made = await bench.rerank(onEnding, longTexts(longest, bench))
  const [a, b] = scoresIn(made, 2) ?? []
  const same = a === undefined || b === undefined ? undefined : a === b
  return readToEnd(longest, made, 'scores', same, 'scores the same')
}
