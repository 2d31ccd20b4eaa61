import { countEach } from '../../basics/collections.ts'
import { mark } from '../../basics/files.ts'
import type { Drawing, Graph } from '../../types.ts'
import { clientFiles, escapeXml, inertText, packJson, pageHead } from '../page-head.ts'
import { plural, present } from '../../text/amounts.ts'
import { componentWords } from '../render/row-columns.ts'
import type { PageData } from './page-data.ts'
import { shapes, themes } from './shapes.ts'

/** The graph as one HTML page without network access. All texts are escaped. */
export function graphPage(drawing: Drawing, pageData: PageData): string {
  const { code, style } = clientFiles('graph')
  const title = `${escapeXml(drawing.method)} <span>${escapeXml(drawing.corpus)}</span>`
  return `${pageHead({ mark, title: `${drawing.corpus}: ${drawing.method}`, style, code })}
<body>
<header>
<h1>${title}</h1>
<p class="counts">${escapeXml(countsLine(drawing, pageData))}</p>
${searchBox}
<p id="promise" class="note">${escapeXml(searchHint(drawing))}</p>
</header>
<main>
<canvas id="canvas" tabindex="0" role="img" aria-label="The graph. Arrow keys move it, + and - zoom, 0 shows everything. The list of all nodes offers the same content to keyboard users."></canvas>
<div class="zoom"><button type="button" id="zoom-in" aria-label="Zoom in">+</button><button type="button" id="zoom-out" aria-label="Zoom out">−</button><button type="button" id="zoom-all">Fit</button></div>
<div id="tip" hidden></div>
</main>
<footer>
<label>Edges <span class="end">all</span><input id="threshold" type="range" min="0" max="0" value="0" step="1"><span class="end">heaviest</span></label><output id="shown" for="threshold"></output>
${levelChoice(drawing.graph)}${kindsHtml(drawing.graph)}
</footer>
<aside>
<p id="hint" class="note">Select a node to read its text.</p>
<section id="hits" aria-live="polite" hidden></section>
<section id="node" aria-live="polite" hidden></section>
${groupsHtml(drawing.graph, pageData.groups ?? [])}
${spectrumOf(drawing.graph)}
${paragraphs(componentWords(drawing.health).map((words) => `${words}.`))}
<details id="all"><summary>All nodes</summary></details>
<details><summary>How the search works</summary><p>${escapeXml(searchLimits(drawing))}</p></details>
</aside>
${inertText('data', packJson(pageData, roundFraction))}
<script>${code}</script>
</body>
</html>
`
}

const roundFraction = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

const searchBox = `<form class="search" role="search">
<input id="search" type="search" list="questions" aria-label="Search" autocomplete="off" spellcheck="false" placeholder="Choose a question or type keywords">
<datalist id="questions"></datalist>
<button type="button" id="dark" hidden>Clear</button>
</form>`

const levelChoice = ({ levels = [] }: Graph): string =>
  levels.length === 0
    ? ''
    : `<label>Level <select id="level">${levels.map(({ name }, level) => `<option value="${level}">${escapeXml(name)}</option>`).join('')}</select></label>`

function countsLine({ graph: { nodes, edges } }: Drawing, pageData: PageData): string {
  const kinds = Array.from(countEach(nodes.map(({ kind }) => kind)), ([kind, count]) => `${count} ${kind}`)
  const remark = pageData.edges.length < edges.length ? `, the ${pageData.edges.length} heaviest are drawn` : ''
  return `${kinds.join(' and ')} nodes, ${edges.length} edges${remark}`
}

function searchHint({ method, lookups }: Drawing): string {
  const words = 'Any other text starts a keyword search (BM25), without embeddings.'
  return lookups.length === 0
    ? words
    : `Choose one of ${plural(lookups.length, 'question')} to see what ${method} retrieves for it. ${words}`
}

function spectrumOf({ spectrum = [], notes = [] }: Graph): string {
  if (spectrum.length + notes.length === 0) return ''
  return `<figure id="spectrum"><figcaption><h2>${spectrum.length > 0 ? 'Spectrum' : 'About this graph'}</h2></figcaption>${spectrumSvg(spectrum)}${paragraphs(notes)}</figure>`
}

const paragraphs = (texts: readonly string[]): string =>
  texts.map((text) => `<p class="note">${escapeXml(text)}</p>`).join('')

function searchLimits({ method, lookups, failed }: Drawing): string {
  const ownCount = lookups.filter((lookup) => lookup.own).length
  return present(
    `This page contains no model, so it cannot embed a new question. The passages that ${method} retrieves were looked up when the page was made, for ${plural(lookups.length - ownCount, 'question')} of the dataset and ${ownCount} given with --ask; the search box lists these questions.`,
    failed > 0 &&
      `${plural(failed, 'more question is', 'more questions are')} missing because a call to a model failed.`,
    'Any other input is a keyword search (BM25) in the texts of the nodes and their utility questions. To look up a question of your own, make the page again with --ask "the question".',
  ).join(' ')
}

/** Legend of shapes, and of colours if there are no groups. */
function kindsHtml({ nodes, levels = [] }: Graph): string {
  const isGrouped = levels.length > 0 || nodes.some(({ group = 0 }) => group > 0)
  const items = [...new Set(nodes.map(({ kind }) => kind))].map(
    (kind, index) => `<li>${icon(index, isGrouped ? undefined : index)}${escapeXml(kind)}</li>`,
  )
  return `<ul class="legend" aria-label="Kinds of nodes">${items.join('')}</ul>`
}

/** Legend of groups, one list per level; a button highlights the nodes of its group. */
function groupsHtml({ nodes, groups = [], levels }: Graph, labels: readonly string[]): string {
  const levelGroups = levels ?? [{ groups: nodes.map(({ group = 0 }) => group) }]
  const lists = levelGroups.map((level, index) => {
    const list = groupList(level.groups, groups, labels)
    return list === '' ? '' : `<div data-level="${index}"${index > 0 ? ' hidden' : ''}>${list}</div>`
  })
  return lists.join('') === '' ? '' : `<details id="groups" open><summary>Groups</summary>${lists.join('')}</details>`
}

function groupList(groupOfNode: readonly number[], names: readonly string[], labels: readonly string[]): string {
  const numbers = [...new Set(groupOfNode)].filter((group) => group > 0).sort((a, b) => a - b)
  const buttons = numbers.slice(0, themes).map((group) => {
    const name = escapeXml(names[group - 1] ?? `group ${group}`)
    return `<li><button type="button" data-group="${group}" title="${name}">${icon(0, group - 1)}<span>${escapeXml(labels[group - 1] ?? `group ${group}`)}</span></button></li>`
  })
  const more = numbers.length - themes
  const rest = more > 0 ? `<li>and ${more} more; select a node to see its group</li>` : ''
  return numbers.length === 0 ? '' : `<ul class="legend" aria-label="Groups">${buttons.join('')}${rest}</ul>`
}

function icon(shape: number, theme: number | undefined): string {
  const fill = theme === undefined ? '' : ` fill="var(--theme-${theme % themes})"`
  return `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${shapes[shape % shapes.length] ?? ''}"${fill}/></svg>`
}

/** The first 60 eigenvalues as bars around zero: SVG, 300 by 84 units; empty without a spectrum. */
export function spectrumSvg(spectrum: readonly number[]): string {
  if (spectrum.length === 0) return ''
  const values = spectrum.slice(0, 60)
  const high = Math.max(0, ...values)
  const low = Math.min(0, ...values)
  const y = (value: number): number => round(2 + (80 * (high - value)) / (high - low || 1))
  const step = 300 / Math.max(values.length, 6)
  const bars = values.map((value, index) => {
    const top = y(Math.max(0, value))
    const height = Math.max(1, y(Math.min(0, value)) - top)
    return `<rect x="${round((index + 0.15) * step)}" y="${top}" width="${round(0.7 * step)}" height="${round(height)}"><title>${index + 1}: ${value.toPrecision(4)}</title></rect>`
  })
  const label = `Eigenvalues: ${values.map((value) => value.toPrecision(3)).join(', ')}`
  return `<svg viewBox="0 0 300 84" role="img" aria-label="${label}">${bars.join('')}<path d="M0 ${y(0)}H300"/></svg>`
}

const round = (value: number): number => Math.round(value * 100) / 100
