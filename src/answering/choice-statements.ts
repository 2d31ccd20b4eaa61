import type { Token } from './choice-tokens.ts'
import { kindOfWord } from './choice-words.ts'

/** A statement of a reply about one or several options. */
export interface Statement {
  /** 0-based; null for the mark of a missing option. */
  readonly indexes: readonly (number | null)[]
  readonly isDenied: boolean
  /** `explicit`: called the answer; `alone`: on its own line, or at the start of the reply. */
  readonly weight: 'explicit' | 'alone' | 'mentioned'
  /** Whether it follows a self-correction. */
  readonly isRevision: boolean
}

/** The statements of a plain reply, in order. `count`: of options. */
export function statementsIn(tokens: readonly Token[], text: string, count: number): readonly Statement[] {
  const kinds: string[] = tokens.map(({ kind }) => kind)
  for (const [at, token] of tokens.entries()) {
    // "no" before other words denies them
    const word = text.slice(token.start, token.end).toLowerCase()
    const isNo = token.kind === 'm' && kindOfWord(word) === 'N'
    const tail = after(kinds, at)
    if (isNo && /^[xw]/.test(tail)) kinds[at] = 'N'
    if (/[dwLl]/.test(token.kind)) {
      const lead = before(kinds, at)
      kinds[at] = kindOfMark(token, lead, tail, text, count)
    }
  }
  const revisionAt = kinds.lastIndexOf('Z')
  const statements: (Statement & { readonly isAnnounced: boolean })[] = []
  let previous: Group | undefined
  for (const group of groupsIn(tokens, kinds)) {
    const lead = before(kinds, group.first)
    const tail = after(kinds, group.last)
    const between = previous && kinds.slice(previous.last + 1, group.first).join('')
    const earlier = statements.at(-1)
    const isNear = /^[BPIFOCJ,.:)]{0,9}$/.test(between ?? 'x')
    const continues = earlier?.isDenied && earlier.isAnnounced && isNear
    const isAnnounced = announcedBefore.test(lead) || continues === true
    const isLine = /(?:^|n)[.:([]*$/.test(lead) && /^[).:,]*(?:n|$)/.test(tail)
    const isAlone = isLine || isFirst(lead, tail)
    const isExplicit = isAnnounced || affirmedAfter.test(tail)
    statements.push({
      indexes: group.indexes,
      isDenied: deniedBefore.test(lead) || deniedAfter.test(tail),
      weight: isExplicit ? 'explicit' : isAlone ? 'alone' : 'mentioned',
      isRevision: revisionAt >= 0 && group.first > revisionAt,
      isAnnounced,
    })
    previous = group
  }
  return statements
}

/** Kinds of the tokens before and after one, a character each; `x` for omitted ones. */
function before(kinds: readonly string[], at: number) {
  const near = kinds.slice(Math.max(0, at - reach), at)
  return [at > reach ? 'x' : '', ...near].join('')
}

function after(kinds: readonly string[], at: number) {
  const end = at + 1 + reach
  const near = kinds.slice(at + 1, end)
  return [...near, end < kinds.length ? 'x' : ''].join('')
}

/** Context tokens on either side. */
const reach = 20

/** Patterns over token kinds, which choice-words.ts and choice-tokens.ts define. */
const announcedBefore = /(?:(?<!N)A|C[FOx]?(?=[I:]))[^.nRm]{0,10}$|(?<!N)A[^.nRm]{0,6}n$|C:n$|V[FOPIC]*[:,]*n?$/
const affirmedAfter = /^\)?:?T?O?(?:I[IF]*[CA]|C)/
const deniedBefore = /N[IPFOACV(]*$|W[IFP]*[AO][IPFOAC:(]*$/
const deniedAfter = /^\)?:?T?[IPFO]*(?:W|N(?![IPFOACV]*[dwLlm]))/
const isFirst = (lead: string, tail: string) => /^[.:([]*$/.test(lead) && /^[).]*(?:(?!:m)[.,:nR)(]|$)/.test(tail)

const ledNumber = /(?:^|[.n:,([VANBOWZ]|m[).:(]*|m\)?[J,]+|A[^.nR]{0,10}[I:)])[IPNFOCT]*$/
const ledLetter = new RegExp(`${ledNumber.source}|I[FOC]*$`)

/** `m` for the mark of an option; else what the letter or number is. */
function kindOfMark(token: Token, lead: string, tail: string, text: string, count: number): string {
  const { kind, index, start, end } = token
  const isLine = /(?:^|n)[.:([]*$/.test(lead) && /^[).:]*(?:n|$)/.test(tail)
  const isAnswer = /A[^.nRm]{0,6}[:I][FO]*$/.test(lead)
  if (index === null && !isLine && !isAnswer) return text.slice(start, end) === 'I' ? 'P' : 'x'
  if (isLine) return 'm'
  if (kind === 'w') return isAnswer || /O[FT]*$/.test(lead) || /^[Ow]/.test(tail) ? 'm' : 'x'
  if (kind === 'd') return isNumberOfOption(lead, tail) ? 'm' : 'x'
  const letter = text.slice(start, end)
  const next = text.slice(end, end + 3)
  return isLetterOfOption(letter, next, lead, tail, count) ? 'm' : 'F'
}

function isNumberOfOption(lead: string, tail: string) {
  // "passage [1]" quotes a passage
  if (lead.endsWith('[') && !/(?:^|[n:AOVI])[FOC]*\[$/.test(lead)) return false
  // a number before a noun is a quantity
  const isQuantity = /^[xOA]/.test(tail) && !/O[FT]*$/.test(lead)
  return ledNumber.test(lead) && !isQuantity
}

function isLetterOfOption(letter: string, next: string, lead: string, tail: string, count: number) {
  if (!ledLetter.test(lead) || /^(?:-\p{L}|'|\.\p{L})/u.test(next)) return false
  if (letter >= 'a') return /^(?:$|[.,:n)])/.test(tail)
  // a species or a name: "C. difficile", "B. Smith"
  if (/^\. ?\p{Ll}/u.test(next) && !/^\.[RIBNWZPFm]/.test(tail)) return false
  if (/^\. ?\p{Lu}/u.test(next) && /(?:^|[.n])$/.test(lead) && !/^\.[^xdwLl]/.test(tail)) return false
  if (letter === 'I' && count < 9) return false
  // an article, a preposition or a conjunction of some language
  const canBeWord = /[AEIOUY]/.test(letter)
  const isBeforeOtherScript = /^ ?[^\0-\u024f]/.test(next)
  const isAtEnd = /^(?:$|[.,:n()[JINRBZ])/.test(tail)
  return !canBeWord || isBeforeOtherScript || isAtEnd
}

/** Joined mentions of options, from the first to the last token. */
interface Group {
  readonly first: number
  readonly last: number
  readonly indexes: readonly (number | null)[]
}

function groupsIn(tokens: readonly Token[], kinds: readonly string[]): readonly Group[] {
  const groups: Group[] = []
  for (const [at, { kind, index }] of tokens.entries()) {
    if (kinds[at] !== 'm') continue
    const group = groups.at(-1)
    const between = group ? kinds.slice(group.last + 1, at).join('') : 'x'
    const isSame = group?.indexes.includes(index) && /^[).:,([]*[FO]*\(?$/.test(between)
    // the text after a mark: the mark counts
    const lastKind = tokens[group?.last ?? at]?.kind
    const isText = kind === 'm' && lastKind !== 'm' && /^[).:]+$/.test(between)
    const isJoined = /^\)?[J,]+[FO([]*$/.test(between)
    if (group && (isSame || isText || isJoined)) {
      const indexes = isSame || isText ? group.indexes : [...group.indexes, index]
      groups[groups.length - 1] = { first: group.first, last: at, indexes }
    } else groups.push({ first: at, last: at, indexes: [index] })
  }
  return groups
}
