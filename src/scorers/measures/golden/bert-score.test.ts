import { greedyMatch, type BertScore } from '../../../math/bert-score.ts'
import { rescale, inverseDocumentFrequency } from '../../bert-score.ts'
import { maxima } from '../answers/token-f1.ts'
import { replayGolden } from '../../../test-support/golden.ts'

type Triple = readonly [precision: number, recall: number, f1: number]

/** BERTScore's arithmetic on given embeddings. */
replayGolden({
  'bertscore.greedy': (input: Greedy) => {
    const score = greedyMatch(
      { vectors: input.reference_embeddings, weights: input.reference_weights },
      { vectors: input.candidate_embeddings, weights: input.candidate_weights },
    )
    return letters(score)
  },
  'bertscore.idf': (input: { reference_token_ids: readonly (readonly number[])[]; query_unseen_id: number }) => {
    const weight = inverseDocumentFrequency(input.reference_token_ids)
    const ids = new Set(input.reference_token_ids.flat())
    return { idf: Object.fromEntries([...ids].map((id) => [id, weight(id)])), unseen: weight(input.query_unseen_id) }
  },
  'bertscore.rescale': ({ baseline_P_R_F, P_R_F }: { baseline_P_R_F: Triple; P_R_F: Triple }) => ({
    rescaled: triple(rescale(scoreOf(P_R_F), scoreOf(baseline_P_R_F))),
  }),
  'bertscore.multi_ref': ({ per_reference_P_R_F }: { per_reference_P_R_F: readonly Triple[] }) => ({
    P_R_F: triple(maxima(per_reference_P_R_F.map(scoreOf))),
  }),
  'bertscore.multi_ref_embeddings': ({ candidate_embeddings, candidate_weights, references }: Several) => {
    const candidate = { vectors: candidate_embeddings, weights: candidate_weights }
    const each = references.map(({ embeddings, weights }) => greedyMatch({ vectors: embeddings, weights }, candidate))
    return { perReference: each.map(letters), ...letters(maxima(each)) }
  },
})

interface Embedded {
  readonly embeddings: readonly (readonly number[])[]
  readonly weights: readonly number[]
}

interface Several {
  readonly candidate_embeddings: Embedded['embeddings']
  readonly candidate_weights: readonly number[]
  readonly references: readonly Embedded[]
}

interface Greedy {
  readonly reference_embeddings: readonly (readonly number[])[]
  readonly candidate_embeddings: readonly (readonly number[])[]
  readonly reference_weights: readonly number[]
  readonly candidate_weights: readonly number[]
}

const scoreOf = ([precision, recall, f1]: Triple): BertScore => ({ precision, recall, f1 })

const letters = ({ precision, recall, f1 }: BertScore) => ({ P: precision, R: recall, F: f1 })

const triple = ({ precision, recall, f1 }: BertScore): Triple => [precision, recall, f1]
