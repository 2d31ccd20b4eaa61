import { plural } from '../../text/amounts.ts'
import { escapeXml } from '../page-head.ts'
import type { TextTable } from '../render/text-table.ts'

/** A table that scrolls if it is wider than the page. `afterName`: markup after a row's name. */
export function tableHtml(
  { labels = 1, head, rows }: TextTable,
  caption: string,
  afterName: (row: number) => string = () => '',
): string {
  // the name of the row stays visible while the table scrolls
  const stays = head.findIndex((title) => title !== '')
  const classOf = (index: number) => {
    if (index === stays) return ' class="stays"'
    return index < labels ? '' : ' class="number"'
  }
  const titles = head.map((title, index) => `<th scope="col"${classOf(index)}>${escapeXml(title)}</th>`)
  const body = rows.map((cells, row) => {
    const cellsHtml = cells.map(({ text, best }, index) => {
      const inside = best ? `<b>${escapeXml(text)}</b>` : escapeXml(text)
      return index === labels - 1
        ? `<th scope="row"${classOf(index)}>${inside}${afterName(row)}</th>`
        : `<td${classOf(index)}>${inside}</td>`
    })
    return `<tr>${cellsHtml.join('')}</tr>`
  })
  const label = escapeXml(caption)
  return `<p class="caption">${label}</p>
<div class="wide" tabindex="0" role="region" aria-label="${label}">
<table>
<thead><tr>${titles.join('')}</tr></thead>
<tbody>${body.join('')}</tbody>
</table>
</div>`
}

/** A closed disclosure; empty without content. */
export const disclosure = (title: string, inside: string): string =>
  inside === '' ? '' : `<details><summary>${escapeXml(title)}</summary>${inside}</details>`

/** Notes that are visible at once. */
export const mostNotes = 3

export function notesHtml(notes: readonly string[]): string {
  const rest = notes.slice(mostNotes)
  const list = (items: readonly string[]) => {
    const itemsHtml = items.map((item) => `<li>${escapeXml(item)}</li>`)
    return items.length === 0 ? '' : `<ul>${itemsHtml.join('')}</ul>`
  }
  const visibleNotes = list(notes.slice(0, mostNotes))
  const more = disclosure(plural(rest.length, 'more note'), list(rest))
  return `${visibleNotes}${more}`
}
