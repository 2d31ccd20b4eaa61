import { z } from 'zod'
import { defineScorer } from '../define.ts'
import type { Models } from '../types.ts'
import {
  bestMatch,
  greedyMatch,
  rescaled,
  type BertScore,
  type WeighedTokens,
} from './measures/bert-score/greedy-match.ts'
import { inverseDocumentFrequency } from './measures/bert-score/inverse-document-frequency.ts'
import { acceptedTexts } from './shared/accepted-texts.ts'
import { allDone } from './shared/all-done.ts'
import { creditCanned, isCredited } from './shared/credited.ts'

const share = z.number().min(-1).lt(1)

/** How near the tokens of answer and reference are to one another, by the run's embedder: F of the best reference is the column. */
export const bertScore = defineScorer({
  name: 'bert-score',
  version: 1,
  summary:
    'F of the nearest tokens of answer and reference by the run’s embedder; of several references the best for each of P, R and F.',
  source: 'Zhang et al. 2020, BERTScore (Tiiiger/bert_score@19e7f551), without padding',
  kinds: ['answer', 'summary'],
  onRequest: true,
  options: z.strictObject({
    layer: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Layer whose token vectors are compared, from 1; null: the last. minilm has 1 to 6; a model that `transformers` opens has its last alone, so export it up to the layer that is wanted (bert_score takes 17 of roberta-large)',
      ),
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
    creditCanned,
  }),
  ranges: { bertScore: [-1, 1], bertScorePrecision: [-1, 1], bertScoreRecall: [-1, 1] },
  columns: [{ metric: 'bertScore', label: 'BERTScore' }],
  needs: ({ layer, idf }) => ({ tokens: layer === null ? {} : { layer }, ...(idf && { references: true }) }),
  note: ({ layer, idf, baseline }, { embedder }) =>
    `token vectors of ${embedder}, ${layer === null ? 'its last layer' : `layer ${layer}`}, ${idf ? 'weighed by idf over all references' : 'without idf'}, ${baseline ? `rescaled by the baseline ${baseline.precision}, ${baseline.recall}, ${baseline.f1}` : 'not rescaled'}.`,
  async score(asked, models, { layer, idf, baseline, ...options }) {
    const accepted = acceptedTexts(asked.question.reference)
    if (accepted.length === 0) return { skipped: 'the question has no reference answer' }
    if (idf && !asked.references) return { skipped: 'idf needs the references of all questions' }
    const weightOf = weights(models, idf ? asked.references : undefined)
    const read = (text: string) => tokensOf(text.trim(), models, weightOf, layer ?? undefined)
    const [candidate, ...references] = await allDone([
      read(isCredited(asked, options) ? asked.answer.text : ''),
      ...accepted.map(read),
    ])
    const { precision, recall, f1 } = bestMatch(
      references.map((reference) => (hasWeight(candidate, reference) ? greedyMatch(reference, candidate) : none)),
    )
    const empty = !references.some((reference) => hasWeight(candidate, reference))
    const shown = baseline && !empty ? rescaled({ precision, recall, f1 }, baseline) : { precision, recall, f1 }
    const atLeast = (value: number): number => Math.min(1, Math.max(-1, value))
    return {
      metrics: {
        bertScore: atLeast(shown.f1),
        bertScorePrecision: atLeast(shown.precision),
        bertScoreRecall: atLeast(shown.recall),
      },
    }
  },
})

const none: BertScore = { precision: 0, recall: 0, f1: 0 }

const hasWeight = (...texts: readonly WeighedTokens[]): boolean =>
  texts.every(({ weights: own }) => own.some((weight) => weight > 0))

type WeightOf = (token: number) => number

const known = new WeakMap<readonly string[], WeightOf>()

/** What a token weighs: 0 where it is a special one, else 1, or its idf over the references, which are counted once for a list. */
function weights(models: Models, references: readonly string[] | undefined): WeightOf {
  const special = new Set(models.tokenIds(''))
  const idf = references && (known.get(references) ?? counted(references, models))
  return (token) => (special.has(token) ? 0 : (idf?.(token) ?? 1))
}

function counted(references: readonly string[], models: Models): WeightOf {
  const weight = inverseDocumentFrequency(references.map((text) => models.tokenIds(text.trim())))
  known.set(references, weight)
  return weight
}

async function tokensOf(
  text: string,
  models: Models,
  weightOf: WeightOf,
  layer: number | undefined,
): Promise<WeighedTokens> {
  const vectors = await models.embedTokens(text, layer)
  return { vectors, weights: models.tokenIds(text).map(weightOf) }
}
