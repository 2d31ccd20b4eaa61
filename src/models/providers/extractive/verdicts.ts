import type { AttributeSentencesInput, VerifyClaimsInput } from '../../../tasks/claims.ts'
import type { JudgeTurnInput, TurnVerdict } from '../../../tasks/verdicts.ts'
import type { Language } from './language/language.ts'
import { coverage, rarity, stems, stemsOf, type Weight, windows } from './language/overlap.ts'
import { mentions } from './language/phrases.ts'
import { denies, opposes } from './language/polarity.ts'
import type { Sentence } from './language/sentence.ts'

/** A claim is supported where a run of sentences holds enough of its words, all its numbers and names, and denies as often as it does. */
export const verdicts = (language: Language, { claims, context }: VerifyClaimsInput): string =>
  JSON.stringify({ statements: checked(language, claims, context) })

/** A sentence is attributed where it would be supported as a claim. */
export function attributions(language: Language, { sentences, context }: AttributeSentencesInput): string {
  const attributions = checked(language, sentences, context).map(({ statement, verdict }) => ({
    sentence: statement,
    attributed: verdict,
  }))
  return JSON.stringify({ attributions })
}

/** A reply is correct where the knowledge or the real reply supports it as a claim, inaccurate where they hold a part of its words. */
export function turnVerdict(language: Language, { knowledge, gold, reply }: JudgeTurnInput): string {
  const { runs, weight } = runsIn(language, `${gold}\n\n${knowledge}`)
  const claim = language.line(reply)
  const found = bestRun(claim, runs, weight)
  const { reason, verdict } = judged(claim, found)
  const judgement: TurnVerdict = {
    reason,
    verdict: verdict === 1 ? 'correct' : found.share >= PARTLY ? 'inaccurate' : 'choke',
  }
  return JSON.stringify(judgement)
}

function runsIn(language: Language, context: string) {
  const sentences = language.read(context)
  return { runs: [...windows(sentences, 1), ...windows(sentences, RUN)], weight: rarity(sentences) }
}

function checked(language: Language, claims: readonly string[], context: string) {
  const { runs, weight } = runsIn(language, context)
  return claims.map((statement) => {
    const claim = language.line(statement)
    const found = bestRun(claim, runs, weight)
    return { statement, ...judged(claim, found) }
  })
}

interface Found {
  readonly run: readonly Sentence[]
  readonly share: number
}

function bestRun(claim: Sentence, runs: readonly (readonly Sentence[])[], weight: Weight): Found {
  const wanted = stems(claim.words)
  let best: Found = { run: [], share: 0 }
  for (const run of runs) {
    const share = coverage(wanted, stemsOf(run), weight)
    if (share > best.share) best = { run, share }
  }
  return best
}

function judged(claim: Sentence, { run, share }: Found): { readonly reason: string; readonly verdict: 0 | 1 } {
  if (share < ENOUGH)
    return { reason: `The context holds ${Math.round(share * 100)} % of the claim's words in one place.`, verdict: 0 }
  const missing = missingName(claim, stemsOf(run))
  if (missing !== undefined) return { reason: `The context does not say "${missing}" there.`, verdict: 0 }
  const said = stems(claim.words)
  const nearest = run.reduce((best, sentence) => (shared(said, sentence) > shared(said, best) ? sentence : best))
  const opposite = denies(nearest, said) !== denies(claim, said) || opposes(nearest, claim)
  return opposite
    ? { reason: `The context says the opposite: ${nearest.text}`, verdict: 0 }
    : { reason: `The context says: ${nearest.text}`, verdict: 1 }
}

/** A name or number of the claim of which most is not there. */
function missingName(claim: Sentence, there: ReadonlySet<string>): string | undefined {
  return mentions(claim)
    .filter(({ kind, text }) => kind === 'name' || /\d/.test(text))
    .find(({ from, to }) => {
      const parts = [...stems(claim.words.slice(from, to))]
      return parts.filter((stem) => !there.has(stem)).length > parts.length / 2
    })?.text
}

const shared = (said: ReadonlySet<string>, { words }: Sentence): number =>
  words.filter((word) => said.has(word.stem)).length

/** Share of a claim's words, by weight, that must stand in one run of sentences. */
const ENOUGH = 0.6
/** And where a part of it counts. */
const PARTLY = 0.3
const RUN = 3
