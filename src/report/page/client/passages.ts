import { itemAt } from '../../../basics/collections.ts'
import { element, folded, type Inside } from '../../client/dom.ts'
import { holdsEvidence } from '../../show/words.ts'
import { evidenceRanges } from '../evidence-ranges.ts'
import type { PagePart, PartPassage, PartQuestion, PartTrial } from '../page-data.ts'

/** Passages by rank, evidence marked, with what the method says of its choice. `first`: the rank of the first. */
export function passageList(
  passages: readonly PartPassage[],
  { evidence }: PartQuestion,
  { texts }: PagePart,
  { label = 'Passages', first = 1 } = {},
): HTMLElement {
  const items = passages.map(({ head, text, why, evidence: held }) => {
    const gold = held.map((index) => evidence[index] ?? '')
    const lines = why.map((line) => element('li', {}, line))
    return element(
      'li',
      {},
      element('p', { class: 'head' }, head, held.length > 0 && ['  ', element('mark', {}, holdsEvidence(held).trim())]),
      text !== null && element('p', { class: 'text' }, marked(itemAt(texts, text), gold)),
      lines.length > 0 && folded('Why this passage', element('ul', {}, lines)),
    )
  })
  return element('ol', { class: 'passages', tabindex: 0, 'aria-label': label, start: first }, items)
}

/** What the method ranked behind the context, with words where the page has them; empty where nothing is known. */
export function cutPassages(trial: PartTrial, question: PartQuestion, part: PagePart): Inside {
  const { beyond, beyondEvidence, context } = trial
  if (beyond.length === 0) return undefined
  const held = new Map(beyondEvidence)
  const passages = beyond.map((number, place): PartPassage => ({
    ...itemAt(part.ranked, number),
    evidence: held.get(place) ?? [],
    why: [],
  }))
  const first = context.length + 1
  const last = context.length + beyond.length
  const ranks = first === last ? `rank ${first}` : `ranks ${first} to ${last}`
  const gold = beyondEvidence.map(([place]) => first + place)
  const unknown = passages.filter(({ text }) => text === null).length
  const where =
    gold.length > 0
      ? ['; ', element('mark', {}, `evidence at ${gold.length === 1 ? 'rank' : 'ranks'} ${gold.join(', ')}`)]
      : question.evidence.length > 0 && '; no evidence'
  const note = `The results folder keeps no words of passages beyond the budget. They are shown where a context of the run holds the same chunk; of ${unknown} only the id is known.`
  return element(
    'details',
    { class: 'cut' },
    element('summary', {}, `Cut by the budget: ${ranks}`, where),
    unknown > 0 && part.texts.length > 0 && element('p', { class: 'note' }, note),
    passageList(passages, question, part, { label: 'Passages cut by the budget', first }),
  )
}

function marked(text: string, evidence: readonly string[]): readonly Inside[] {
  const inside: Inside[] = []
  let last = 0
  for (const [from, to] of evidenceRanges(text, evidence)) {
    inside.push(text.slice(last, from), element('mark', {}, text.slice(from, to)))
    last = to
  }
  return [...inside, text.slice(last)]
}
