import { memoiseWeakly } from '../../../basics/memoise.ts'
import type { Trace } from '../../../types.ts'
import { element, disclosure, type Inside } from '../../client/dom.ts'
import { holdsEvidence, describePassage, describeTrace } from '../../show/messages.ts'
import { plural } from '../../../text/amounts.ts'
import { evidenceRanges } from '../evidence-ranges.ts'
import type { PageRow, PartQuestion, PartTrial } from '../page-data.ts'

/** `head`: source of the passage; `text`: empty if omitted or unknown. */
interface ListedPassage {
  readonly head: string
  readonly text: string
  readonly evidence: readonly number[]
  readonly why: Trace
}

/** The context of a trial by rank, with evidence highlighted and the method's trace. */
export const contextList = ({ context }: PartTrial, question: PartQuestion): Inside =>
  context.length > 0 &&
  passageList(
    context.map((passage) => {
      const { text, evidence = [], why = {} } = passage
      return { head: describePassage({ ...passage, evidence: [] }), text, evidence, why }
    }),
    question,
    { 'aria-label': 'Passages' },
  )

function passageList(
  passages: readonly ListedPassage[],
  { question }: PartQuestion,
  attributes: Readonly<Record<string, string | number>>,
): HTMLElement {
  const items = passages.map(({ head, text, evidence, why }) => {
    const lines = text === '' ? [] : describeTrace(why).map((line) => element('li', {}, line))
    const quotes = evidence.map((index) => question?.evidence?.[index]?.text ?? '')
    return element(
      'li',
      {},
      element(
        'p',
        { class: 'head' },
        head,
        evidence.length > 0 && ['  ', element('mark', {}, holdsEvidence(evidence).trim())],
      ),
      text !== '' && element('p', { class: 'text' }, markEvidence(text, quotes)),
      lines.length > 0 && disclosure('Why this passage', element('ul', {}, lines)),
    )
  })
  return element('ol', { class: 'passages', tabindex: 0, ...attributes }, items)
}

function markEvidence(text: string, evidence: readonly string[]): readonly Inside[] {
  const inside: Inside[] = []
  let last = 0
  for (const [from, to] of evidenceRanges(text, evidence)) {
    inside.push(text.slice(last, from), element('mark', {}, text.slice(from, to)))
    last = to
  }
  return [...inside, text.slice(last)]
}

/** Passages cut off by the budget, with text if another context of the part holds it. */
export function budgetCutDetails(
  { beyond = [], context, corpus }: PartTrial,
  question: PartQuestion,
  row: PageRow,
  texts: ChunkTexts,
): Inside {
  if (beyond.length === 0) return undefined
  const passages = beyond.map(({ kind, from, evidence = [] }): ListedPassage => {
    // a summary may cover hundreds of chunks
    const chunks = `${from.slice(0, 5).join(', ')}${from.length > 5 ? ', …' : ''}`
    const isChunk = kind === 'chunk' && from.length === 1
    return {
      head: kind === 'chunk' ? chunks : `${kind} of ${plural(from.length, 'chunk')}: ${chunks}`,
      text: (isChunk && texts.get(keyOf(row, corpus, chunks))) || '',
      evidence,
      why: {},
    }
  })
  const [first, last] = [context.length + 1, context.length + beyond.length]
  const goldRanks = passages.flatMap(({ evidence }, place) => (evidence.length > 0 ? [first + place] : []))
  const unknownCount = passages.filter(({ text }) => text === '').length
  const where =
    goldRanks.length > 0
      ? ['; ', element('mark', {}, `evidence at ${goldRanks.length === 1 ? 'rank' : 'ranks'} ${goldRanks.join(', ')}`)]
      : (question.question?.evidence ?? []).length > 0 && '; no evidence'
  const note = `The results folder keeps no words of passages beyond the budget. They are shown where a context of a question nearby holds the same chunk; of ${unknownCount} only the id is known.`
  return element(
    'details',
    { class: 'cut' },
    element(
      'summary',
      {},
      `Cut by the budget: ${first === last ? `rank ${first}` : `ranks ${first} to ${last}`}`,
      where,
    ),
    unknownCount > 0 && question.question && element('p', { class: 'note' }, note),
    passageList(passages, question, { 'aria-label': 'Passages cut by the budget', start: first }),
  )
}

/** Chunk texts by run, corpus and id; empty if contexts disagree. */
type ChunkTexts = ReadonlyMap<string, string>

const keyOf = ({ run }: PageRow, corpus: string, chunk: string): string => JSON.stringify([run, corpus, chunk])

/** Texts of passages that are exactly one chunk. */
export const chunkTexts = (rows: readonly PageRow[]): ((part: readonly PartQuestion[]) => ChunkTexts) =>
  memoiseWeakly((part) => {
    const texts = new Map<string, string>()
    for (const { row, corpus, context } of part.flatMap((question) =>
      rows.flatMap((row, index) => (question.rows[index] ?? []).map((trial) => ({ row, ...trial }))),
    ))
      for (const { kind, derived, from, text } of row.reference ? [] : context) {
        const [chunk, second] = from
        if (kind !== 'chunk' || derived || chunk === undefined || second !== undefined) continue
        const key = keyOf(row, corpus, chunk)
        texts.set(key, (texts.get(key) ?? text) === text ? text : '')
      }
    return texts
  })
