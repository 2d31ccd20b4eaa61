import { element, type Inside } from '../../client/dom.ts'
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
    const words = text === null ? undefined : texts[text]
    const gold = held.map((index) => evidence[index] ?? '')
    return element(
      'li',
      {},
      element(
        'p',
        { class: 'head' },
        head,
        ...(held.length > 0 ? ['  ', element('mark', {}, holdsEvidence(held).trim())] : []),
      ),
      ...(words === undefined ? [] : [element('p', { class: 'text' }, ...marked(words, gold))]),
      ...(why.length === 0
        ? []
        : [
            element(
              'details',
              {},
              element('summary', {}, 'Why this passage'),
              element('ul', {}, ...why.map((line) => element('li', {}, line))),
            ),
          ]),
    )
  })
  return element('ol', { class: 'passages', tabindex: 0, 'aria-label': label, start: first }, ...items)
}

/** What the method ranked behind the context, with words where the page has them; empty where nothing is known. */
export function cutPassages(trial: PartTrial, question: PartQuestion, part: PagePart): readonly HTMLElement[] {
  const { beyond, beyondEvidence, context } = trial
  if (beyond.length === 0) return []
  const held = new Map(beyondEvidence)
  const passages = beyond.map((number, place): PartPassage => ({
    ...(part.ranked[number] ?? { head: '', text: null }),
    ...{ evidence: held.get(place) ?? [], why: [] },
  }))
  const first = context.length + 1
  const last = context.length + beyond.length
  const ranks = first === last ? `rank ${first}` : `ranks ${first} to ${last}`
  const gold = beyondEvidence.map(([place]) => first + place)
  const unknown = passages.filter(({ text }) => text === null).length
  return [
    element(
      'details',
      { class: 'cut' },
      element(
        'summary',
        {},
        `Cut by the budget: ${ranks}`,
        ...(gold.length > 0
          ? ['; ', element('mark', {}, `evidence at ${gold.length === 1 ? 'rank' : 'ranks'} ${gold.join(', ')}`)]
          : question.evidence.length > 0
            ? ['; no evidence']
            : []),
      ),
      ...(unknown > 0 && part.texts.length > 0
        ? [
            element(
              'p',
              { class: 'note' },
              `The results folder keeps no words of passages beyond the budget. They are shown where a context of the run holds the same chunk; of ${unknown} only the id is known.`,
            ),
          ]
        : []),
      passageList(passages, question, part, { label: 'Passages cut by the budget', first }),
    ),
  ]
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
