import { words } from '../../text/words.ts'
import { mentionsIn } from './names.ts'
import { coverage, isDenied, line, rarity, read, termsOf, windows } from './reading.ts'

/** The clauses of a text. */
export const claimsIn = (text: string): readonly string[] =>
  read(text).flatMap((sentence) => sentence.text.split(clauseBorder).filter(Boolean))

const clauseBorder = /;\s+|,?\s+and\s+(?=(?:is|are|was|were|has|had|can|will|he|she|it|they)\s)/

/** A claim is supported if a run of sentences has enough of its terms, its names and numbers, and the same negation. */
export function judge(context: string) {
  const sentences = read(context)
  const weight = rarity(sentences)
  const runs = [...windows(sentences, 1), ...windows(sentences, 3)]
  return (claim: string) => {
    const claimLine = line(claim)
    const shares = runs.map(({ terms }) => coverage(claimLine.terms, terms, weight))
    const share = Math.max(0, ...shares)
    const best = runs[shares.indexOf(share)]
    const not = (reason: string) => ({ reason, verdict: 0, share }) as const
    if (!best || share < minShare)
      return not(`The context holds ${Math.round(share * 100)} % of the claim in one place.`)
    const missing = mentionsIn(claimLine).find(({ text }) => {
      const parts = [...termsOf(text)]
      return parts.filter((term) => !best.terms.has(term)).length > parts.length / 2
    })
    if (missing) return not(`The context does not say "${missing.text}" there.`)
    const sentenceShares = best.run.map((sentence) => coverage(claimLine.terms, sentence.terms, weight))
    const place = sentenceShares.indexOf(Math.max(...sentenceShares))
    const nearest = best.run[place]?.text ?? ''
    if (isDenied(nearest, claimLine.terms) !== isDenied(claim, claimLine.terms))
      return not(`The context says the opposite: ${nearest}`)
    return { reason: `The context says: ${nearest}`, verdict: 1, share } as const
  }
}

const minShare = 0.6

/** Compares two answers by a count of words in place of a judge. */
export function preference(question: string, criterion: string, first: string, second: string) {
  const questionWords = new Set(words(question))
  const [firstScore = 0, secondScore = 0] = [first, second].map(words).map((all) => {
    const distinct = new Set(all)
    const sharedCount = [...questionWords].filter((word) => distinct.has(word)).length
    if (criterion === 'directness') return sharedCount / Math.max(1, all.length)
    if (criterion === 'diversity') return distinct.size - sharedCount
    // other criteria: the answer with more distinct words
    return criterion === 'empowerment' ? sharedCount : distinct.size
  })
  const reason = `${criterion}, by a count of words: ${firstScore} and ${secondScore}.`
  if (firstScore === secondScore) return { reason, winner: 0 } as const
  return { reason, winner: firstScore > secondScore ? 1 : 2 } as const
}
