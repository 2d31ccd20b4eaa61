import { words } from '../../text/words.ts'
import { mentionsIn } from './names.ts'
import { coverage, isDenied, line, rarity, read, termsOf, windows } from './reading.ts'

/** The clauses of a text. */
export const claimsIn = (text: string): readonly string[] =>
  read(text).flatMap((sentence) => sentence.text.split(clauseBorder).filter(Boolean))

const clauseBorder = /;\s+|,?\s+and\s+(?=(?:is|are|was|were|has|had|can|will|he|she|it|they)\s)/

/** A claim holds where a run of sentences has enough of its terms, its names and numbers, and the same negation. */
export function judge(context: string) {
  const sentences = read(context)
  const weight = rarity(sentences)
  const runs = [...windows(sentences, 1), ...windows(sentences, 3)]
  return (claim: string) => {
    const said = line(claim)
    const shares = runs.map(({ terms }) => coverage(said.terms, terms, weight))
    const share = Math.max(0, ...shares)
    const best = runs[shares.indexOf(share)]
    const not = (reason: string) => ({ reason, verdict: 0, share }) as const
    if (!best || share < enough) return not(`The context holds ${Math.round(share * 100)} % of the claim in one place.`)
    const missing = mentionsIn(said).find(({ text }) => {
      const parts = [...termsOf(text)]
      return parts.filter((term) => !best.terms.has(term)).length > parts.length / 2
    })
    if (missing) return not(`The context does not say "${missing.text}" there.`)
    const shared = best.run.map((sentence) => coverage(said.terms, sentence.terms, weight))
    const nearest = best.run[shared.indexOf(Math.max(...shared))]?.text ?? ''
    if (isDenied(nearest, said.terms) !== isDenied(claim, said.terms))
      return not(`The context says the opposite: ${nearest}`)
    return { reason: `The context says: ${nearest}`, verdict: 1, share } as const
  }
}

/** The share of a claim's terms, by weight, that must stand in one run of sentences. */
const enough = 0.6

/** Which of two answers has more of what a criterion counts here: a rule about words in place of a judge. */
export function preference(question: string, criterion: string, first: string, second: string) {
  const asked = new Set(words(question))
  const [one = 0, other = 0] = [first, second].map(words).map((all) => {
    const distinct = new Set(all)
    const shared = [...asked].filter((word) => distinct.has(word)).length
    if (criterion === 'directness') return shared / Math.max(1, all.length)
    if (criterion === 'diversity') return distinct.size - shared
    // of a criterion that words do not tell, the answer that has most of them
    return criterion === 'empowerment' ? shared : distinct.size
  })
  const winner = one === other ? 0 : one > other ? 1 : 2
  return { reason: `${criterion}, by a count of words: ${one} and ${other}.`, winner } as const
}
