import { plainRow, quotedRow } from '../csv.ts'
import type { TextUnit } from '../tables.ts'
import { fittingRows, type Section } from './section.ts'

/** The text units of basic search (section 3): those that were hit in table order, cut in that order, so that the nearest may fall out. */
export function basicContext(
  textUnits: readonly TextUnit[],
  hits: ReadonlySet<number>,
  tokens: number,
  count: (text: string) => number,
): Section<TextUnit> {
  const head = 'id|text\n'
  const fields = ({ id, text }: TextUnit) => [id, text]
  const found = textUnits.filter(({ id }) => hits.has(id))
  const fitting = fittingRows(head, found, (unit) => plainRow(fields(unit)), tokens, count)
  // this one table also doubles backslashes
  const written = fitting.items.map(({ id, text }) => quotedRow([id, text.replaceAll('\\', '\\\\')], '|'))
  const text = head + written.join('')
  return { ...fitting, text, tokens: count(text) }
}
