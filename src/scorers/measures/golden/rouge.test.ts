import { mean } from '../../../math/statistics/descriptive.ts'
import { stem } from '../rouge/porter.ts'
import { rougeL, rougeLsum, summaryLines, rougeN, rougeTokens } from '../../rouge.ts'
import { maxima } from '../answers/token-f1.ts'
import { replayGolden } from '../../../test-support/golden.ts'

/** ROUGE and its stemmer. */
replayGolden({
  'rouge.score': ({ target, prediction, use_stemmer }: { target: string; prediction: string; use_stemmer: boolean }) =>
    scores(target, prediction, use_stemmer),
  'rouge.multi_ref_gor': (input: MultiReference) => best(input),
  'rouge.corpus_gor': ({ items, use_stemmer }: { items: readonly MultiReference[]; use_stemmer: boolean }) => {
    const each = items.map((item) => best({ ...item, use_stemmer }))
    const meanOf = (measure: 'rouge1' | 'rouge2' | 'rougeL') => mean(each.map((one) => one[measure].fmeasure))
    return { rouge1: meanOf('rouge1'), rouge2: meanOf('rouge2'), rougeL: meanOf('rougeL') }
  },
  'porter.stem_nltk': ({ words }: { words: readonly string[] }) => ({ stems: words.map(stem) }),
})

interface MultiReference {
  readonly targets: readonly string[]
  readonly prediction: string
  readonly use_stemmer: boolean
}

function best({ targets, prediction, use_stemmer }: MultiReference) {
  const each = targets.map((target) => scores(target, prediction, use_stemmer))
  return {
    rouge1: maxima(each.map((score) => score.rouge1)),
    rouge2: maxima(each.map((score) => score.rouge2)),
    rougeL: maxima(each.map((score) => score.rougeL)),
  }
}

function scores(target: string, prediction: string, stemming: boolean) {
  const wanted = rougeTokens(target, stemming)
  const predicted = rougeTokens(prediction, stemming)
  const lines = (text: string) => summaryLines(text).map((line) => rougeTokens(line, stemming))
  return {
    target_tokens: wanted,
    prediction_tokens: predicted,
    rouge1: rougeN(wanted, predicted, 1),
    rouge2: rougeN(wanted, predicted, 2),
    rouge3: rougeN(wanted, predicted, 3),
    rougeL: rougeL(wanted, predicted),
    rougeLsum: rougeLsum(lines(target), lines(prediction)),
  }
}
