import type { DecomposeClaimsInput } from '../../../tasks/claims.ts'
import { type CompareAnswersInput, type JudgeTurnInput, type TurnVerdict } from '../../../tasks/verdicts.ts'
import { words } from '../../../text/words.ts'
import { type Language, type Sentence, textOf } from './language.ts'
import { coverage, denies, opposes, rarity, stems, stemsOf, windows } from './overlap.ts'
import { appositions, mentions } from './phrases.ts'
import { predicate, type Statement, statements, withArticle } from './statements.ts'

/** Clauses with their subjects. */
export const claimsIn = (language: Language, { text }: DecomposeClaimsInput): readonly string[] =>
  atomicClaims(language.read(text))

/** A sentence of no readable clause stays as it is, and so does one of one clause without a replaced pronoun. */
function atomicClaims(sentences: readonly Sentence[]): readonly string[] {
  const all = statements(sentences)
  return sentences.flatMap((sentence, place) => {
    const inside = all.filter(
      (statement) => statement.place === place && statement.clause.rest.to > statement.clause.rest.from,
    )
    const told = appositions(sentence).map(
      ({ name, told }) => `${withArticle(sentence, name)} is ${textOf(sentence, told)}`,
    )
    const claims = [...told, ...inside.map((statement, index) => claimOf(statement, index === 0))]
    return claims.length > 1 || inside.some(isMended)
      ? claims.map((claim) => `${claim.slice(0, 1).toUpperCase()}${claim.slice(1)}.`)
      : [sentence.text]
  })
}

/** "At two the lamp broke": what leads to the first clause is put behind it. */
function claimOf(statement: Statement, isFirst: boolean): string {
  const { sentence, clause, subject } = statement
  const start = clause.subject?.from ?? 0
  const end = sentence.words[start - 1]?.pos === 'DET' ? start - 1 : start
  const leads = isFirst && sentence.words[0]?.pos === 'ADP'
  const lead = leads ? withArticle(sentence, { from: 0, to: end }).replace(/,$/, '') : ''
  return `${subject} ${predicate(statement)} ${lead}`.trim()
}

/** Whether a pronoun was replaced: the object, or a subject that begins the sentence. */
const isMended = ({ sentence, clause, isNamed, object }: Statement): boolean =>
  object !== undefined || (isNamed && clause.subject?.from === 0 && sentence.words[0]?.pos === 'PRON')

/** A claim is supported where a run holds enough of it (`share`), all numbers and names, and the same negations. */
export function judge(language: Language, context: string) {
  const sentences = language.read(context)
  const runs = [...windows(sentences, 1), ...windows(sentences, RUN)]
  const weight = rarity(sentences)
  return (text: string) => {
    const claim = language.line(text)
    const said = stems(claim.words)
    let best: { readonly run: readonly Sentence[]; readonly share: number } = { run: [], share: 0 }
    for (const run of runs) {
      const share = coverage(said, stemsOf(run), weight)
      if (share > best.share) best = { run, share }
    }
    const { run, share } = best
    const not = (reason: string) => ({ reason, verdict: 0, share }) as const
    if (share < ENOUGH) return not(`The context holds ${Math.round(share * 100)} % of the claim's words in one place.`)
    const missing = missingName(claim, stemsOf(run))
    if (missing !== undefined) return not(`The context does not say "${missing}" there.`)
    const shared = (sentence: Sentence): number => sentence.words.filter(({ stem }) => said.has(stem)).length
    const nearest = run.reduce((most, sentence) => (shared(sentence) > shared(most) ? sentence : most))
    if (denies(nearest, said) !== denies(claim, said) || opposes(nearest, claim))
      return not(`The context says the opposite: ${nearest.text}`)
    return { reason: `The context says: ${nearest.text}`, verdict: 1, share } as const
  }
}

/** A reply is correct where knowledge or the real reply supports it, inaccurate where they hold a part of it. */
export function turnVerdict(language: Language, { knowledge, gold, reply }: JudgeTurnInput): TurnVerdict {
  const { reason, verdict, share } = judge(language, `${gold}\n\n${knowledge}`)(reply)
  return { reason, verdict: verdict === 1 ? 'correct' : share >= PARTLY ? 'inaccurate' : 'choke' }
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

/** Which of two answers has more of what a criterion counts here: a rule about words in place of a judge. */
export function preference({ question, criterion, first, second }: CompareAnswersInput) {
  const asked = new Set(words(question))
  const [one, other] = [first, second].map(words).map((all) => {
    const different = new Set(all)
    const shared = [...asked].filter((word) => different.has(word)).length
    const counts = { comprehensiveness: different.size, diversity: different.size - shared, empowerment: shared }
    if (criterion === 'directness') return shared / Math.max(1, all.length)
    if (criterion === 'diversity' || criterion === 'empowerment') return counts[criterion]
    // of a criterion that words do not tell, the one that counts most of them
    return counts.comprehensiveness
  })
  const winner = one === other ? 0 : Number(one) > Number(other) ? 1 : 2
  return { reason: `${criterion}, by a count of words: ${one} and ${other}.`, winner }
}

/** Share of a claim's words, by weight, that must stand in one run of sentences. */
const ENOUGH = 0.6
/** And where a part of it counts. */
const PARTLY = 0.3
const RUN = 3
