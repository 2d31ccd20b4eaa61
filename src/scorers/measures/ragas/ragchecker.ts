/** Which claims are entailed: `true` for entailment, by claim; of passages, a list for each claim, one entry a passage. */
export interface Entailed {
  /** Claims of the answer, by the reference answer. */
  readonly answerByReference: readonly boolean[]
  /** Claims of the reference answer, by the answer. */
  readonly referenceByAnswer: readonly boolean[]
  /** Claims of the answer, and of the reference answer, by each passage. */
  readonly answerByPassages: readonly (readonly boolean[])[]
  readonly referenceByPassages: readonly (readonly boolean[])[]
}

/**
 * RAGChecker's measures of one answer, 0 to 1 (Ru et al. 2024, section 3.3; ragchecker/computation.py). Without claims
 * precision, recall and F1 are 0, as there. What else has nothing to be a share of is left out, where the script has 0
 * (our reading).
 */
export function ragcheckerMeasures(entailed: Entailed): Readonly<Record<string, number>> {
  const { answerByReference, referenceByAnswer, answerByPassages, referenceByPassages } = entailed
  const precision = shareOf(answerByReference) ?? 0
  const recall = shareOf(referenceByAnswer) ?? 0
  const passages = Math.max(0, ...[...answerByPassages, ...referenceByPassages].map(({ length }) => length))
  const relevant = Array.from({ length: passages }, (_, i) => referenceByPassages.some((one) => one[i] === true))
  const found = referenceByPassages.map((one) => one.includes(true))
  const claims = answerByPassages.map((held, i) => ({
    isRight: answerByReference[i] === true,
    isFaithful: held.includes(true),
    inRelevant: held.some((one, passage) => one && relevant[passage] === true),
  }))
  const ofClaims = (is: (claim: (typeof claims)[number]) => boolean) => shareOf(claims.map(is))
  const known = passages > 0 && claims.length > 0
  const shares = {
    claimRecall: passages > 0 ? shareOf(found) : undefined,
    contextPrecision: referenceByPassages.length > 0 ? shareOf(relevant) : undefined,
    contextUtilisation: shareOf(referenceByAnswer.filter((_, i) => found[i] === true)),
    ...(known && {
      noiseRelevant: ofClaims(({ isRight, inRelevant }) => !isRight && inRelevant),
      noiseIrrelevant: ofClaims(({ isRight, isFaithful, inRelevant }) => !isRight && isFaithful && !inRelevant),
      hallucination: ofClaims(({ isRight, isFaithful }) => !isRight && !isFaithful),
      selfKnowledge: ofClaims(({ isRight, isFaithful }) => isRight && !isFaithful),
      claimFaithfulness: ofClaims(({ isFaithful }) => isFaithful),
    }),
  }
  const f1 = precision > 0 && recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  const rest = Object.entries(shares).flatMap(([name, share]) => (share === undefined ? [] : [[name, share] as const]))
  return { claimF1: f1, claimPrecision: precision, claimCoverage: recall, ...Object.fromEntries(rest) }
}

const shareOf = (verdicts: readonly boolean[]): number | undefined =>
  verdicts.length === 0 ? undefined : verdicts.filter(Boolean).length / verdicts.length
