import type { DecomposeClaimsInput } from '../../../tasks/claims.ts'
import { appositions } from './language/appositions.ts'
import type { Language } from './language/language.ts'
import { predicate, type Statement, statements, withArticle } from './language/references.ts'
import { salience } from './language/salience.ts'
import { type Sentence, textOf } from './language/sentence.ts'

/** Sentences as they stand (low atomicity), or their clauses with the subjects written out (high); the more central half of them at low coverage. */
export function claims(language: Language, { text, atomicity, coverage }: DecomposeClaimsInput): string {
  const sentences = language.read(text)
  const all = atomicity === 'low' ? sentences.map((sentence) => sentence.text) : clausesOf(sentences)
  return JSON.stringify({ claims: coverage === 'high' ? all : centralHalf(language, all) })
}

/** A sentence without a clause that can be read stays as it is, and so does one of a single clause unless a pronoun was replaced in it. */
function clausesOf(sentences: readonly Sentence[]): readonly string[] {
  const all = statements(sentences)
  return sentences.flatMap((sentence, place) => {
    const inside = all.filter(
      (statement) => statement.place === place && statement.clause.rest.to > statement.clause.rest.from,
    )
    const told = appositions(sentence).map(
      ({ name, told }) => `${withArticle(sentence, name)} is ${textOf(sentence, told)}`,
    )
    const claims = [...told, ...inside.map((statement, index) => claimOf(statement, index === 0))]
    return claims.length > 1 || inside.some(mended) ? claims.map(written) : [sentence.text]
  })
}

/** "At two the lamp broke": what leads to the first clause is put behind it. */
function claimOf(statement: Statement, first: boolean): string {
  const { sentence, clause, subject } = statement
  const start = clause.subject?.from ?? 0
  const end = sentence.words[start - 1]?.pos === 'DET' ? start - 1 : start
  const lead =
    first && sentence.words[0]?.pos === 'ADP' ? withArticle(sentence, { from: 0, to: end }).replace(/,$/, '') : ''
  return `${subject} ${predicate(statement)} ${lead}`.trim()
}

/** Whether a pronoun was replaced: the object, or a subject that begins the sentence. */
const mended = ({ sentence, clause, named, object }: Statement): boolean =>
  object !== undefined || (named && clause.subject?.from === 0 && sentence.words[0]?.pos === 'PRON')

const written = (claim: string): string => `${claim.slice(0, 1).toUpperCase()}${claim.slice(1)}.`

function centralHalf(language: Language, claims: readonly string[]): readonly string[] {
  const worth = salience(claims.map((claim) => language.line(claim)))
  const order = [...claims.keys()].sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
  const kept = new Set(order.slice(0, Math.ceil(claims.length / 2)))
  return claims.filter((_, index) => kept.has(index))
}
