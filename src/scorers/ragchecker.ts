import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { ModelError } from '../errors.ts'
import { decomposeClaims, verifyClaims } from '../tasks/claims.ts'
import type { Models } from '../types.ts'
import { awaitAll, claimsOf, isSupported, shareOf, verdictsOn } from './measures/ragas/claims.ts'
import { referenceText } from './shared/accepted-answers.ts'

/** Entailment of the claims of answer and reference by each other and by the passages. */
export const ragchecker = defineScorer({
  name: 'ragchecker',
  version: 2,
  summary:
    'Claims of the answer and of the reference answer, each checked against the other and against every passage: which are right, found, used, wrong by a passage, or invented.',
  source: 'Ru et al. 2024 (RAGChecker), section 3.3; amazon-science/RAGChecker, ragchecker/computation.py',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({}),
  judge: true,
  tasks: [decomposeClaims, verifyClaims],
  rates: 'claimF1',
  columns: [
    { metric: 'claimF1', label: 'claim F1' },
    { metric: 'claimPrecision', label: 'claim precision' },
    { metric: 'claimCoverage', label: 'claims of the reference in the answer' },
    { metric: 'claimRecall', label: 'claim recall of the context' },
    { metric: 'contextPrecision', label: 'relevant passages' },
    { metric: 'contextUtilisation', label: 'context utilisation' },
    { metric: 'noiseRelevant', label: 'noise sensitivity, relevant', better: 'none' },
    { metric: 'noiseIrrelevant', label: 'noise sensitivity, irrelevant', better: 'none' },
    { metric: 'hallucination', better: 'none' },
    { metric: 'selfKnowledge', label: 'self-knowledge', better: 'none' },
    { metric: 'claimFaithfulness', label: 'faithfulness of claims' },
  ],
  note: () =>
    'a passage is relevant where it entails a claim of the reference answer; noise sensitivity: wrong claims that a relevant passage entails, or an irrelevant one alone; hallucination: wrong claims that none entails; self-knowledge: right ones that none entails. Less noise sensitivity and hallucination is better.',
  async score({ question, context, answer }, models) {
    const referenceAnswer = referenceText(question.reference)
    if (referenceAnswer === undefined) return { skipped: 'the question has no reference answer' }
    const answerText = answer.canned ? '' : answer.text
    const [ofAnswer, ofReference] = await awaitAll([
      claimsOf({ text: answerText }, models),
      claimsOf({ text: referenceAnswer }, models),
    ])
    if (ofReference.length === 0) return { skipped: 'the reference answer contains no claims' }
    const texts = context.map(({ text }) => text)
    const [answerByReference, referenceByAnswer, answerByPassages, referenceByPassages] = await awaitAll([
      checkEntailment(ofAnswer, referenceAnswer, models),
      checkEntailment(ofReference, answerText, models),
      byPassages(ofAnswer, texts, models),
      byPassages(ofReference, texts, models),
    ])
    const verdicts = { answerByReference, referenceByAnswer, answerByPassages, referenceByPassages }
    return { metrics: ragcheckerMeasures(verdicts), parts: { ofAnswer, ofReference, ...verdicts } }
  },
})

/** One verdict per claim. Throws ModelError for another number of verdicts. */
async function checkEntailment(claims: readonly string[], text: string, models: Models): Promise<readonly boolean[]> {
  const verdicts = await verdictsOn(claims, text, models)
  if (verdicts.length === claims.length) return verdicts.map(isSupported)
  throw new ModelError('reply', `verify-claims: ${verdicts.length} verdicts on ${claims.length} claims`)
}

async function byPassages(
  claims: readonly string[],
  passages: readonly string[],
  models: Models,
): Promise<readonly (readonly boolean[])[]> {
  const byPassage = await awaitAll(passages.map((text) => checkEntailment(claims, text, models)))
  return claims.map((_, claim) => byPassage.map((verdicts) => verdicts[claim] === true))
}

/** Entailment by claim; by passages: a list per claim, one entry per passage. */
interface EntailmentVerdicts {
  readonly answerByReference: readonly boolean[]
  readonly referenceByAnswer: readonly boolean[]
  readonly answerByPassages: readonly (readonly boolean[])[]
  readonly referenceByPassages: readonly (readonly boolean[])[]
}

/**
 * RAGChecker's measures of one answer, 0 to 1 (Ru et al. 2024, section 3.3; ragchecker/computation.py). Without claims
 * precision, recall and F1 are 0, as there. Other shares over nothing are omitted, where the script has 0 (our
 * reading).
 */
export function ragcheckerMeasures(entailment: EntailmentVerdicts): Readonly<Record<string, number>> {
  const { answerByReference, referenceByAnswer, answerByPassages, referenceByPassages } = entailment
  const precision = shareOf(answerByReference) || 0
  const recall = shareOf(referenceByAnswer) || 0
  const lengths = [...answerByPassages, ...referenceByPassages].map(({ length }) => length)
  const passages = Math.max(0, ...lengths)
  const isRelevant = (passage: number) => referenceByPassages.some((verdicts) => verdicts[passage] === true)
  const relevant = Array.from({ length: passages }, (_, passage) => isRelevant(passage))
  const inContext = referenceByPassages.map((verdicts) => verdicts.includes(true))
  const claims = answerByPassages.map((verdicts, i) => ({
    isRight: answerByReference[i] === true,
    isFaithful: verdicts.includes(true),
    inRelevant: verdicts.some((isEntailed, passage) => isEntailed && relevant[passage] === true),
  }))
  const ofClaims = (is: (claim: (typeof claims)[number]) => boolean) => shareOf(claims.map(is))
  const hasClaimsAndContext = passages > 0 && claims.length > 0
  const shares = {
    claimRecall: passages > 0 ? shareOf(inContext) : NaN,
    contextPrecision: referenceByPassages.length > 0 ? shareOf(relevant) : NaN,
    contextUtilisation: shareOf(referenceByAnswer.filter((_, i) => inContext[i] === true)),
    ...(hasClaimsAndContext && {
      noiseRelevant: ofClaims(({ isRight, inRelevant }) => !isRight && inRelevant),
      noiseIrrelevant: ofClaims(({ isRight, isFaithful, inRelevant }) => !isRight && isFaithful && !inRelevant),
      hallucination: ofClaims(({ isRight, isFaithful }) => !isRight && !isFaithful),
      selfKnowledge: ofClaims(({ isRight, isFaithful }) => isRight && !isFaithful),
      claimFaithfulness: ofClaims(({ isFaithful }) => isFaithful),
    }),
  }
  const f1 = precision > 0 && recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  const rest = Object.entries(shares).filter(([, share]) => !Number.isNaN(share))
  return { claimF1: f1, claimPrecision: precision, claimCoverage: recall, ...Object.fromEntries(rest) }
}
