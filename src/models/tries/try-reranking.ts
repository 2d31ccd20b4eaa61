import { itemAt } from '../../basics/collections.ts'
import type { Embeddings } from '../provider.ts'
import { mostTexts, reasonOf, triedSizes, type Bench, type Finding, type Outcome, type TryCosts } from './bench.ts'
import { longTexts, type WantedEmbeddings } from './try-embeddings.ts'

const question = 'When does the ferry leave?'
/** Of two long texts, which differ at their ends. */
const onEnding = 'Did the storm break the bridge?'
const fitting = 'The ferry leaves at nine.'
const others = ['The bakery sells bread from rye.', 'A heron stands in the reeds.']
const batchOf = (size: number): readonly string[] => [
  fitting,
  ...Array.from({ length: size - 1 }, (_, at) => `${itemAt(others, at % others.length)} ${at}`),
]

/** The most that `tryReranking` asks for, besides what the server refuses. */
export async function costsOfReranking(bench: Bench, { longest }: WantedEmbeddings): Promise<TryCosts> {
  const count = (text: string): number => bench.tokenizer.count(text)
  const tokensOf = (asked: string, texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + count(asked) + count(text), 0)
  const short = [fitting, ...others, ...batchOf(await mostTexts(bench))]
  const promptTokens = tokensOf(question, short) + tokensOf(onEnding, longTexts(longest, bench))
  return { calls: 3, promptTokens, completionTokens: 0, embeddedTokens: 0 }
}

/** Tries a model that scores texts for a question; changes the bench's options to what works. */
export async function* tryReranking(bench: Bench, { longest }: WantedEmbeddings): AsyncGenerator<Finding> {
  const first = await tryFirst(bench)
  yield first
  if (first.works === 'no') return
  for (const step of [() => tryBatch(bench), () => tryLong(bench, longest)]) if (!bench.isLost()) yield await step()
}

const scoresIn = (made: Outcome<Embeddings>, count: number): readonly number[] | undefined =>
  'value' in made && made.value.vectors.length === count ? made.value.vectors.map(([score = NaN]) => score) : undefined

async function tryFirst(bench: Bench): Promise<Finding> {
  const what = 'first call'
  const made = await bench.rerank(question, [itemAt(others, 0), fitting, itemAt(others, 1)])
  const scores = scoresIn(made, 3)
  if (!scores) return { what, works: 'no', said: 'error' in made ? reasonOf(made.error) : 'the reply lacks scores' }
  const [a, best, b] = [itemAt(scores, 0), itemAt(scores, 1), itemAt(scores, 2)]
  return best > a && best > b
    ? { what, works: 'yes', said: 'answered; the text that answers the question has the highest score' }
    : {
        ...{ what, works: 'but' },
        said: `answered, but a text that does not answer the question has the highest score (${scores.map((one) => one.toPrecision(3)).join(', ')}): is it a rerank model?`,
      }
}

/** As many texts in a request as the config asks for, or else as many as the server takes. */
async function tryBatch(bench: Bench): Promise<Finding> {
  const what = 'batch'
  const wanted = await mostTexts(bench)
  let refused = 'no number of texts is taken'
  for (const size of triedSizes(wanted)) {
    const made = await bench.rerank(question, batchOf(size))
    if (scoresIn(made, size)) {
      if (size === wanted) return { what, works: 'yes', said: `${wanted} texts in one request` }
      bench.change({ textsPerRequest: size })
      return { what, works: 'no', said: `${wanted} texts are refused (${refused}); ${size} work` }
    }
    if (size === wanted && 'error' in made) refused = made.error.message
    if (bench.isLost()) break
  }
  return { what, works: 'no', said: refused }
}

/** Whether a long text is read to its end. */
async function tryLong(bench: Bench, longest: number): Promise<Finding> {
  const what = 'long text'
  const made = await bench.rerank(onEnding, longTexts(longest, bench))
  const [a, b] = scoresIn(made, 2) ?? []
  if (a === undefined || b === undefined) {
    const why = 'error' in made ? reasonOf(made.error) : 'no scores came'
    return { what, works: 'no', said: `of about ${longest} tokens: ${why}; make chunks smaller` }
  }
  return a === b
    ? { what, works: 'no', said: `of about ${longest} tokens is not read to its end: another ending scores the same` }
    : { what, works: 'yes', said: `of about ${longest} tokens is read to its end` }
}
