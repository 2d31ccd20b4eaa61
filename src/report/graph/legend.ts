import type { Graph } from '../../types.ts'
import { escapeXml } from './escape-xml.ts'

/** What shapes and colours mean: a list of kinds, and of groups, which light their nodes when pressed. */
export function legend({ nodes, groups = [] }: Graph): string {
  const kinds = [...new Set(nodes.map(({ kind }) => kind))]
  const numbers = [...new Set(nodes.map(({ group = 0 }) => group))].filter((group) => group > 0).sort((a, b) => a - b)
  const buttons = numbers.slice(0, mostGroups).map((group) => {
    const name = escapeXml(groups[group - 1] ?? `group ${group}`)
    return `<li><button type="button" data-group="${group}" title="${name}">${icon(0, fill(group - 1))}<span>${name}</span></button></li>`
  })
  const more = numbers.length - mostGroups
  const rest = more > 0 ? `<li>and ${more} more; select a node to see its group</li>` : ''
  return `<ul class="legend" aria-label="Legend">${kinds.map((kind, index) => `<li>${icon(index, numbers.length > 0 ? '' : fill(index))}${escapeXml(kind)}</li>`).join('')}${buttons.join('')}${rest}</ul>`
}

const mostGroups = 32

/** There are eight colours; then they begin anew. */
const fill = (group: number): string => `fill="var(--theme-${group % 8})"`

/** The shapes of the painter: circle, diamond, square, triangle. */
const shapes = [
  '<circle cx="8" cy="8" r="6"/>',
  '<path d="M8 1l7 7-7 7-7-7z"/>',
  '<path d="M2.5 2.5h11v11h-11z"/>',
  '<path d="M8 1.5l7 12H1z"/>',
] as const

const icon = (shape: number, attributes = ''): string =>
  `<svg viewBox="0 0 16 16" aria-hidden="true"><g ${attributes}>${shapes[shape % shapes.length] ?? ''}</g></svg>`
