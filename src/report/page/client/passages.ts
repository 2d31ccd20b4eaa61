import { plural } from '../../../text/amounts.ts'
import type { Trace } from '../../../types.ts'
import { disclosure, element, type Inside } from '../../client/dom.ts'
import { evidenceRanges } from '../../show/evidence-ranges.ts'
import { describePassage, describeTrace, holdsEvidence } from '../../show/messages.ts'
import type { PartQuestion, PartTrial } from '../page-data.ts'

/** `head`: source of the passage; `text`: empty if omitted or unknown. */
interface ListedPassage {
  readonly head: string
  readonly text: string
  readonly evidence?: readonly number[]
  readonly why?: Trace
}

/** The context of a trial by rank, with evidence highlighted and the method's trace. */
export const contextList = ({ context }: PartTrial, question: PartQuestion): Inside =>
  context.length > 0 &&
  passageList(
    context.map((passage) => ({ ...passage, head: describePassage({ ...passage, evidence: [] }) })),
    question,
    { 'aria-label': 'Passages' },
  )

function passageList(
  passages: readonly ListedPassage[],
  { question }: PartQuestion,
  attributes: Readonly<Record<string, string | number>>,
): HTMLElement {
  const items = passages.map(({ head, text, evidence = [], why = {} }) => {
    const lines = text === '' ? [] : describeTrace(why).map((line) => element('li', {}, line))
    const quotes = evidence.map((index) => question?.evidence?.[index]?.text ?? '')
    const evidenceMark = holdsEvidence({ text, evidence }, question?.evidence).trim()
    return element(
      'li',
      {},
      element('p', { class: 'head' }, head, evidenceMark !== '' && ['  ', element('mark', {}, evidenceMark)]),
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

/** Passages cut off by the budget: a run stores their ids and the evidence in them, and no texts. */
export function budgetCutDetails({ beyond = [], context }: PartTrial, question: PartQuestion): Inside {
  if (beyond.length === 0) return undefined
  const passages = beyond.map(({ kind, from, evidence }) => {
    // a summary may cover hundreds of chunks
    const chunks = `${from.slice(0, 5).join(', ')}${from.length > 5 ? ', …' : ''}`
    const head = kind === 'chunk' ? chunks : `${kind} of ${plural(from.length, 'chunk')}: ${chunks}`
    return { head, text: '', ...(evidence && { evidence }) }
  })
  const [first, last] = [context.length + 1, context.length + beyond.length]
  const goldRanks = beyond.flatMap(({ evidence = [] }, place) => (evidence.length > 0 ? [first + place] : []))
  const where =
    goldRanks.length > 0
      ? ['; ', element('mark', {}, `evidence at ${goldRanks.length === 1 ? 'rank' : 'ranks'} ${goldRanks.join(', ')}`)]
      : (question.question?.evidence ?? []).length > 0 && '; no evidence'
  return disclosure(
    [`Cut by the budget: ${first === last ? `rank ${first}` : `ranks ${first} to ${last}`}`, where],
    passageList(passages, question, {
      class: 'passages cut',
      'aria-label': 'Passages cut by the budget',
      start: first,
    }),
  )
}
