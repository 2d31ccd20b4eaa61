import { evidenceRanges } from '../evidence-ranges.ts'
import type { PagePart, PartPassage, PartQuestion } from '../page-data.ts'
import { element, type Inside } from '../../client/dom.ts'

/** The passages of a context in the order of their rank, evidence marked, with what the method says of its choice. */
export function passageList(
  passages: readonly PartPassage[],
  { evidence }: PartQuestion,
  { texts }: PagePart,
): HTMLElement {
  const items = passages.map(({ head, text, why, evidence: held }) => {
    const words = text === null ? undefined : texts[text]
    const gold = held.map((index) => evidence[index] ?? '')
    return element(
      'li',
      {},
      element('p', { class: 'head' }, head),
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
  return element('ol', { class: 'passages', tabindex: 0, 'aria-label': 'Passages' }, ...items)
}

/** A text whose evidence is marked. */
function marked(text: string, evidence: readonly string[]): readonly Inside[] {
  const inside: Inside[] = []
  let last = 0
  for (const [from, to] of evidenceRanges(text, evidence)) {
    inside.push(text.slice(last, from), element('mark', {}, text.slice(from, to)))
    last = to
  }
  return [...inside, text.slice(last)]
}
