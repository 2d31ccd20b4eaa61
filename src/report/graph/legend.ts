import type { Graph } from '../../types.ts'
import { escapeXml } from './escape-xml.ts'

/** What shapes and colours mean: a list of kinds, and of themes, which light their nodes when pressed. */
export function legend({ nodes }: Graph): string {
  const kinds = [...new Set(nodes.map(({ kind }) => kind))]
  const groups = [...new Set(nodes.map(({ group = 0 }) => group))].filter((group) => group > 0).sort((a, b) => a - b)
  const themes = groups
    .slice(0, mostThemes)
    .map(
      (group) =>
        `<li><button type="button" data-group="${group}">${icon(0, fill(group - 1))}theme ${group}</button></li>`,
    )
  const rest = groups.length > mostThemes ? `<li>and ${groups.length - mostThemes} more</li>` : ''
  return `<ul class="legend" aria-label="Legend">${kinds.map((kind, index) => `<li>${icon(index, groups.length > 0 ? '' : fill(index))}${escapeXml(kind)}</li>`).join('')}${themes.join('')}${rest}</ul>`
}

const mostThemes = 16

/** There are eight colours; then they begin anew. */
const fill = (theme: number): string => `fill="var(--theme-${theme % 8})"`

/** The shapes of the painter: circle, diamond, square, triangle. */
const shapes = [
  '<circle cx="8" cy="8" r="6"/>',
  '<path d="M8 1l7 7-7 7-7-7z"/>',
  '<path d="M2.5 2.5h11v11h-11z"/>',
  '<path d="M8 1.5l7 12H1z"/>',
] as const

const icon = (shape: number, attributes = ''): string =>
  `<svg viewBox="0 0 16 16" aria-hidden="true"><g ${attributes}>${shapes[shape % shapes.length] ?? ''}</g></svg>`
