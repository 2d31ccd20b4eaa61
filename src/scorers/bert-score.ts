import { z } from 'zod'
import { countEach } from '../basics/collections.ts'
import { memoiseWeakly } from '../basics/memoise.ts'
import { defineScorer } from '../define.ts'
import { greedyMatch, zeroScore, type BertScore, type WeighedTokens } from '../math/bert-score.ts'
import type { Models } from '../types.ts'
import { acceptedTexts, isCredited } from './shared/accepted-answers.ts'
import { maxima } from './measures/answers/token-f1.ts'
import { awaitAll } from './measures/ragas/claims.ts'

const share = z.number().min(-1).lt(1)

/**
 * Similarity of the tokens of answer and reference in the last layer of the run's embedder. The column is F of the best
 * reference.
 */
export const bertScore = defineScorer({
  name: 'bert-score',
  // 2: other last digits
  version: 2,
  summary:
    'F of the nearest tokens of answer and reference by the run’s embedder; of several references the best for each of P, R and F.',
  source: 'Zhang et al. 2020, BERTScore (Tiiiger/bert_score@19e7f551), without padding',
  kinds: ['answer', 'summary'],
  onRequest: true,
  options: z.strictObject({
    idf: z
      .boolean()
      .default(false)
      .describe('Whether a token weighs ln((N + 1) / (df + 1)) over the N reference texts of all questions of the run'),
    baseline: z
      .strictObject({ precision: share, recall: share, f1: share })
      .nullable()
      .default(null)
      .describe(
        'Rescales each of P, R and F to (x - b) / (1 - b), at least -1, where an answer or reference has tokens; null: not rescaled. bert_score’s for roberta-large, layer 17: .83150584, .8314941, .83122575',
      ),
  }),
  ranges: { bertScore: [-1, 1], bertScorePrecision: [-1, 1], bertScoreRecall: [-1, 1] },
  columns: [
    { metric: 'bertScore', label: 'BERTScore' },
    { metric: 'bertScorePrecision', shown: false },
    { metric: 'bertScoreRecall', shown: false },
  ],
  needs: ({ idf }) => ({ tokens: true, ...(idf && { references: true }) }),
  note: ({ idf, baseline }, { embedder }) => {
    const weighting = idf ? 'weighed by idf over all references' : 'without idf'
    const scaling = baseline
      ? `rescaled by the baseline ${baseline.precision}, ${baseline.recall}, ${baseline.f1}`
      : 'not rescaled'
    return `token vectors of ${embedder}, its last layer, ${weighting}, ${scaling}.`
  },
  async score(input, models, { idf, baseline }) {
    const referenceTexts = acceptedTexts(input.question.reference)
    if (referenceTexts.length === 0) return { skipped: 'the question has no reference answer' }
    if (idf && !input.references) return { skipped: 'idf needs the references of all questions' }
    const weightOf = weights(models, idf ? input.references : undefined)
    const embed = (text: string) => tokensOf(text.trim(), models, weightOf)
    const [candidate, ...references] = await awaitAll([
      embed(isCredited(input) ? input.answer.text : ''),
      ...referenceTexts.map(embed),
    ])
    const scores = references.map((reference) => hasWeight(candidate, reference) && greedyMatch(reference, candidate))
    const best = maxima(scores.map((score) => score || zeroScore))
    const result = baseline && scores.some(Boolean) ? rescale(best, baseline) : best
    const clamp = (value: number): number => Math.min(1, Math.max(-1, value))
    const { f1, precision, recall } = result
    return {
      metrics: { bertScore: clamp(f1), bertScorePrecision: clamp(precision), bertScoreRecall: clamp(recall) },
    }
  },
})

const hasWeight = (...texts: readonly WeighedTokens[]): boolean =>
  texts.every(({ weights: tokenWeights }) => tokenWeights.some((weight) => weight > 0))

type WeightOf = (token: number) => number

const idfOf = memoiseWeakly((models: Models) =>
  memoiseWeakly((references: readonly string[]) =>
    inverseDocumentFrequency(references.map((text) => models.tokenIds(text.trim()))),
  ),
)

/** Token weights: 0 for special tokens, else 1, or the idf over the references. */
function weights(models: Models, references: readonly string[] | undefined): WeightOf {
  const special = new Set(models.tokenIds(''))
  const idf = references && idfOf(models)(references)
  return (token) => (special.has(token) ? 0 : (idf?.(token) ?? 1))
}

const tokensOf = async (text: string, models: Models, weightOf: WeightOf): Promise<WeighedTokens> => ({
  vectors: await models.embedTokens(text),
  weights: models.tokenIds(text).map(weightOf),
})

/** Rescales precision, recall and F: (x - b) / (1 - b) by their baselines (score.py). */
export function rescale(score: BertScore, baseline: BertScore): BertScore {
  const part = (name: keyof BertScore): number => (score[name] - baseline[name]) / (1 - baseline[name])
  return { precision: part('precision'), recall: part('recall'), f1: part('f1') }
}

/** ln((N+1)/(df+1)) by token over N reference texts, ln(N+1) where df is 0 (bert_score@19e7f551, get_idf_dict). */
export function inverseDocumentFrequency<T>(references: readonly (readonly T[])[]): (token: T) => number {
  const texts = countEach(references.flatMap((tokens) => [...new Set(tokens)]))
  return (token) => Math.log((references.length + 1) / ((texts.get(token) ?? 0) + 1))
}
