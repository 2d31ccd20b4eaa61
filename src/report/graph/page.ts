import { mark } from '../../basics/files.ts'
import { plural, present } from '../../text/amounts.ts'
import type { Drawing } from '../../types.ts'
import { colours } from '../figures/chart.ts'
import { escapeXml, htmlPage, inertText, packJson } from '../page-head.ts'
import { componentWords } from '../render/row-columns.ts'
import { layout } from './layout.ts'
import { kindsOf, pageData, shapeMarks, type PageData, type Point } from './page-data.ts'

/**
 * The graph as one HTML page without network access. All texts are escaped; its script builds the legends. `leftOut`:
 * edges that it does not draw.
 */
export async function graphPage(
  drawing: Drawing,
  points: readonly Point[] = layout(drawing.graph),
): Promise<{ readonly text: string; readonly leftOut: number }> {
  const { method, corpus, graph, health } = drawing
  const data = pageData(drawing, points)
  const notes = [...(graph.notes ?? []), ...componentWords(health).map((words) => `${words}.`)]
  const paragraphs = notes.map((note) => `<p class="note">${escapeXml(note)}</p>`).join('')
  const notesHtml = paragraphs && `<section id="notes"><h2>About this graph</h2>${paragraphs}</section>`
  const body = `<header>
<h1>${escapeXml(method)} <span>${escapeXml(corpus)}</span></h1>
<p class="counts">${escapeXml(countsLine(drawing, data))}</p>
<form class="search" role="search">
<input id="search" type="search" list="questions" aria-label="Search" autocomplete="off" spellcheck="false"
 placeholder="Choose a question or type keywords">
<datalist id="questions"></datalist>
<button type="button" id="dark" hidden>Clear</button>
</form>
<p id="promise" class="note">${escapeXml(searchHint(drawing))}</p>
</header>
<main>
<canvas id="canvas" tabindex="0" role="img"
 aria-label="The graph. Arrow keys move it, + and - zoom, 0 shows everything. The list of all nodes has the same content."
></canvas>
<div class="zoom">
<button type="button" data-key="+" aria-label="Zoom in">+</button>
<button type="button" data-key="-" aria-label="Zoom out">−</button>
<button type="button" data-key="0">Fit</button>
</div>
<div id="tip" hidden></div>
</main>
<footer>
<label>Edges <span class="end">all</span><input id="threshold" type="range" min="0" max="0" value="0" step="1"
><span class="end">heaviest</span></label><output id="shown" for="threshold"></output>
<label hidden>Level <select id="level"></select></label>
</footer>
<aside>
<p id="hint" class="note">Select a node to read its text.</p>
<section id="hits" aria-live="polite" hidden></section>
<section id="node" aria-live="polite" hidden></section>
<details open hidden><summary>Groups</summary><ul id="groups" class="legend" aria-label="Groups"></ul></details>
${await spectrumHtml(graph.spectrum ?? [])}
${notesHtml}
<details id="all"><summary>All nodes</summary></details>
</aside>
${inertText('data', packJson(data, roundFraction))}`
  const text = htmlPage({ mark, title: `${corpus}: ${method}`, client: 'graph' }, body)
  return { text, leftOut: graph.edges.length - data.edges.length }
}

function countsLine({ graph: { nodes, edges } }: Drawing, data: PageData) {
  const kinds = Array.from(kindsOf(nodes), ([kind, count], shape) => `${count} ${shapeMarks[shape % 4]} ${kind}`)
  const remark = data.edges.length < edges.length ? `, the ${data.edges.length} heaviest are drawn` : ''
  return `${kinds.join(' and ')} nodes, ${edges.length} edges${remark}`
}

/** The first 60 eigenvalues as bars; empty without a spectrum. */
async function spectrumHtml(spectrum: readonly number[]) {
  if (spectrum.length === 0) return ''
  // Vega loads in half a second
  const { drawChart } = await import('../figures/draw-chart.ts')
  const data = { values: spectrum.slice(0, 60).map((eigenvalue, index) => ({ number: index + 1, eigenvalue })) }
  const encoding = {
    x: { field: 'number', type: 'ordinal', axis: null },
    y: { field: 'eigenvalue', type: 'quantitative', title: null, axis: { tickCount: 4 } },
  } as const
  const bars = { type: 'bar', color: colours.mark } as const
  const spec = { width: 300, height: 84, data, mark: bars, encoding }
  const svg = await drawChart({ name: 'spectrum', title: 'Spectrum: eigenvalues in order', spec })
  return `<figure id="spectrum">${svg}</figure>`
}

function searchHint({ method, lookups, failed }: Drawing) {
  return present(
    lookups.length > 0 && `Choose one of ${plural(lookups.length, 'question')} to see what ${method} retrieves for it.`,
    failed > 0 && `${plural(failed, 'question')} could not be looked up: a model call failed.`,
    'Any other text starts a keyword search (BM25): this page has no model to embed it; --ask looks up a new question.',
  ).join(' ')
}

const roundFraction = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
