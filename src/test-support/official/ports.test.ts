import { expect, test } from 'vitest'
import { notOurs, replayGolden } from '../golden.ts'
import { normaliseText } from './check-run.ts'
import { supportScores, qasperScores, tokenF1Score, bestOf, squad11, squad20, trecEval } from './official-scores.ts'
test.each([
  ['The U.S. President!', 'us president'],
  ['well-to-do a-list the_end', 'welltodo alist theend'],
  ['ana año thé the', 'ana año thé'],
  ['x—the—end «a» a\u0301', 'x— —end « » \u0301'],
  ['x\u0085y\u001Cz\u3000w\uFEFFv', 'x y z w\uFEFFv'],
  [' a an the ', ''],
])('%j is normalised to %j', (text, expected) => {
  expect(normaliseText(text)).toBe(expected)
})

test('the official scripts disagree on two answers without tokens', () => {
  expect([tokenF1Score('the', ''), squad11('', ['']).f1, squad20('the', []).f1, bestOf('', ['a']).f1]).toEqual([
    0, 0, 1, 1,
  ])
})

test('SQuAD 1.1 counts a question without a prediction as 0, and an empty prediction as it is', () => {
  const references = { article: ['the'], part: ['black cats'], missing: ['Lisk'] }
  // two empty answers are the same, and share no token
  const { exact_match, f1 } = evaluateSquad11({ references, predictions: { article: '', part: 'two black cats' } })
  expect(exact_match).toBeCloseTo(100 / 3, 10)
  expect(f1).toBeCloseTo((0 + 80 + 0) / 3, 10)
})

test('the best annotator gives the answer F1, and the best of all the evidence F1', () => {
  const references = [
    { answer: 'black cat', evidence: ['p', 'q'] },
    { answer: 'dog', evidence: [] },
  ]
  expect(qasperScores({ answer: 'the cat', evidence: [] }, references)).toEqual({ answerF1: 2 / 3, evidenceF1: 1 })
})

test('equal scores, as 32-bit floats, rank by id descending', () => {
  const run = [
    { id: 'b', score: 0.1234567891 },
    { id: 'a', score: 0.1234567892 },
  ]
  expect(trecEval(run, new Map([['a', 1]]), [1])).toMatchObject({ mrr: 0.5, map: 0.5, 'recall@1': 0, 'hit@1': 0 })
})

/** The ports by the metrics of the vectors; what only sums up questions is left out. */
replayGolden({
  'qa.token_f1_em': ({ prediction, reference }: { prediction: string; reference: string }) => ({
    normalized_prediction: normaliseText(prediction),
    normalized_reference: normaliseText(reference),
    qasper_f1: tokenF1Score(prediction, reference),
    squad11_f1: squad11(prediction, [reference]).f1,
    squad11_em: squad11(prediction, [reference]).exactMatch,
    squad2_f1: bestOf(prediction, [reference]).f1,
    squad2_em: bestOf(prediction, [reference]).exactMatch,
    musique_f1: bestOf(prediction, [reference]).f1,
    musique_em: bestOf(prediction, [reference]).exactMatch,
  }),
  'squad11.evaluate': evaluateSquad11,
  'squad2.evaluate': ({ references, predictions }: Squad) => {
    const over = (ids: readonly string[]) => {
      const scores = ids.map((id) => squad20(predictions[id]!, references[id]!))
      return { exact: 100 * mean(scores.map((one) => one.exactMatch)), f1: 100 * mean(scores.map(({ f1 }) => f1)) }
    }
    const ids = Object.keys(references)
    const [has, no] = [
      over(ids.filter((id) => references[id]!.length > 0)),
      over(ids.filter((id) => !references[id]!.length)),
    ]
    return {
      ...over(ids),
      total: notOurs,
      HasAns_total: notOurs,
      NoAns_total: notOurs,
      HasAns_exact: has.exact,
      HasAns_f1: has.f1,
      NoAns_exact: no.exact,
      NoAns_f1: no.f1,
    }
  },
  'qasper.evaluate': ({ gold, predictions, text_evidence_only }: Qasper) => {
    const scores = Object.values(gold).flatMap(({ qas }) =>
      qas.map(({ question_id, answers }) => {
        const references = answers.map(({ answer }) => referenceOf(answer, text_evidence_only))
        const predicted = predictions[question_id]
        return predicted ? qasperScores(predicted, references) : { answerF1: 0, evidenceF1: 0 }
      }),
    )
    return {
      'Answer F1': mean(scores.map(({ answerF1 }) => answerF1)),
      'Evidence F1': mean(scores.map(({ evidenceF1 }) => evidenceF1)),
      references: notOurs,
      'Answer F1 by type': notOurs,
      'Missing predictions': notOurs,
    }
  },
  'musique.evaluate': ({ gold, predictions }: { gold: MusiqueGold[]; predictions: MusiquePrediction[] }) => {
    if (gold.some(({ id }, index) => id !== predictions[index]?.id)) throw new Error('not in the same order')
    const scores = gold.flatMap(({ answerable, answer, answer_aliases, paragraphs }, index) => {
      const { predicted_answer, predicted_support_idxs } = predictions[index]!
      const supporting = paragraphs.filter((one) => one.is_supporting).map(({ idx }) => idx)
      const support = supportScores(new Set(predicted_support_idxs), new Set(supporting))
      return answerable ? [{ ...bestOf(predicted_answer, [answer, ...answer_aliases]), ...support }] : []
    })
    const unrounded = {
      answer_em: mean(scores.map(({ exactMatch }) => exactMatch)),
      answer_f1: mean(scores.map(({ f1 }) => f1)),
      support_em: mean(scores.map(({ supportEM }) => supportEM)),
      support_f1: mean(scores.map(({ supportF1 }) => supportF1)),
    }
    const groups = { group_answer_sufficiency_f1: notOurs, group_support_sufficiency_f1: notOurs }
    const rounded = { answer_em: notOurs, answer_f1: notOurs, support_em: notOurs, support_f1: notOurs }
    return { ...rounded, ...groups, unrounded: { ...unrounded, ...groups } }
  },
  'ir.evaluate': ({ qrels, run, k_values }: Ranking) => ({
    ranx: notOurs,
    beir_custom: notOurs,
    trec_eval: Object.fromEntries(
      Object.entries(run).flatMap(([query, results]): [string, unknown][] => {
        const judged = qrels[query]
        if (!judged) return []
        const lines = Object.entries(results).map(([id, score]) => ({ id, score }))
        return [[query, trecNames(trecEval(lines, new Map(Object.entries(judged)), k_values))]]
      }),
    ),
  }),
})

/** The figures of a set of questions, as percentages: their mean, those without a prediction included. */
function evaluateSquad11({ references, predictions }: Squad) {
  const scores = Object.entries(references).map(([id, truths]) => squad11(predictions[id], truths))
  return {
    exact_match: 100 * mean(scores.map((one) => one.exactMatch)),
    f1: 100 * mean(scores.map(({ f1 }) => f1)),
  }
}

const trecNames = (measures: Readonly<Record<string, number>>): object => ({
  num_ret: notOurs,
  num_rel: notOurs,
  num_rel_ret: notOurs,
  Rprec: notOurs,
  ndcg: notOurs,
  ...Object.fromEntries([1, 2, 3, 4, 5, 10, 20].map((k) => [`map_cut_${k}`, notOurs])),
  map: measures['map'],
  recip_rank: measures['mrr'],
  ...Object.fromEntries(
    Object.entries(measures).map(([name, value]) => {
      const [measure = '', k = ''] = name.split('@')
      const official = { precision: 'P', recall: 'recall', ndcg: 'ndcg_cut', hit: 'success' }[measure]
      return [`${official ?? measure}_${k}`, value]
    }),
  ),
})

function referenceOf(
  { unanswerable, extractive_spans, free_form_answer, yes_no, evidence }: Annotation,
  textOnly = false,
) {
  if (unanswerable) return { answer: 'Unanswerable', evidence: [] }
  const answer = extractive_spans.join(', ') || free_form_answer || (yes_no === null ? '' : yes_no ? 'Yes' : 'No')
  if (answer === '') throw new Error('an annotation without an answer')
  return { answer, evidence: evidence.filter((text) => !textOnly || !text.includes('FLOAT SELECTED')) }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

interface Squad {
  readonly references: Readonly<Record<string, readonly string[]>>
  readonly predictions: Readonly<Record<string, string>>
}

interface MusiqueGold {
  readonly id: string
  readonly answer: string
  readonly answer_aliases: readonly string[]
  readonly answerable: boolean
  readonly paragraphs: readonly { readonly idx: number; readonly is_supporting: boolean }[]
}

interface MusiquePrediction {
  readonly id: string
  readonly predicted_answer: string
  readonly predicted_support_idxs: readonly number[]
}

interface Ranking {
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly run: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly k_values: readonly number[]
}

interface Annotation {
  readonly unanswerable: boolean
  readonly extractive_spans: readonly string[]
  readonly free_form_answer: string
  readonly yes_no: boolean | null
  readonly evidence: readonly string[]
}

interface Qasper {
  readonly gold: Readonly<
    Record<string, { readonly qas: readonly { question_id: string; answers: readonly { answer: Annotation }[] }[] }>
  >
  readonly predictions: Readonly<Record<string, { readonly answer: string; readonly evidence: readonly string[] }>>
  readonly text_evidence_only?: boolean
}
