import { memoiseWeakly } from '../../../basics/memoise.ts'
import type { Trace } from '../../../types.ts'
import { element, disclosure, type Inside } from '../../client/dom.ts'
import { holdsEvidence, describePassage, describeTrace } from '../../show/words.ts'
import { plural } from '../../../text/amounts.ts'
import { evidenceRanges } from '../evidence-ranges.ts'
import type { PageRow, PartQuestion, PartTrial } from '../page-data.ts'

/** A passage as it is listed. `head`: where it comes from; `text`: empty where it is left out or not known. */
interface ListedPassage {
  readonly head: string
  readonly text: string
  readonly evidence: readonly number[]
  readonly why: Trace
}

/** The context of a trial by rank, evidence marked, with what the method says of its choice. */
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

/** What the method ranked behind the context, with words where contexts of the part have them. */
export function budgetCutDetails(
  { beyond = [], context, corpus }: PartTrial,
  question: PartQuestion,
  row: PageRow,
  texts: ChunkTexts,
): Inside {
  if (beyond.length === 0) return undefined
  const passages = beyond.map(({ kind, from, evidence = [] }): ListedPassage => {
    // a summary may be of hundreds of chunks
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

/** The text of chunks by run, corpus and id; empty where contexts differ in it. */
type ChunkTexts = ReadonlyMap<string, string>

const keyOf = ({ run }: PageRow, corpus: string, chunk: string): string => JSON.stringify([run, corpus, chunk])

/** The texts of the chunks that a context within the budget holds alone and whole. */
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
