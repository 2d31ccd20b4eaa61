import { escapeXml } from '../graph/escape-xml.ts'
import type { Grid } from '../render/grid.ts'

/** A table for a page, which scrolls by itself where it is wider. `behind`: markup that follows the name of a row, by its number. */
export function gridHtml(
  { labels = 1, head, rows }: Grid,
  caption: string,
  behind: (row: number) => string = () => '',
): string {
  const titles = head.map(
    (title, index) => `<th scope="col"${index < labels ? '' : ' class="number"'}>${escapeXml(title)}</th>`,
  )
  const body = rows.map((cells, row) => {
    const shown = cells.map(({ text, best }, index) => {
      const inside = best ? `<b>${escapeXml(text)}</b>` : escapeXml(text)
      return index === labels - 1
        ? `<th scope="row">${inside}${behind(row)}</th>`
        : `<td${index < labels ? '' : ' class="number"'}>${inside}</td>`
    })
    return `<tr>${shown.join('')}</tr>`
  })
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeXml(caption)}"><table><caption>${escapeXml(caption)}</caption><thead><tr>${titles.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}
