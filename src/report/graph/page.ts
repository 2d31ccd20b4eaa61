import { createHash } from 'node:crypto'
import type { Drawing, Graph } from '../../types.ts'
import { escapeXml } from './escape-xml.ts'
import { legend } from './legend.ts'
import { mark } from './mark.ts'
import type { PageData } from './client/model.ts'
import { pack } from './pack.ts'
import { script } from './script.ts'
import { spectrumSvg } from './spectrum.ts'
import { style } from './style.ts'

/** The graph as one HTML page that asks nothing of a network. Whatever a text holds, it stays text. */
export function graphPage(drawing: Drawing, shown: PageData): string {
  const code = script()
  const title = `${escapeXml(drawing.method)} <span>${escapeXml(drawing.corpus)}</span>`
  // a "<" could end the script element that carries the data
  const data = JSON.stringify(pack(shown)).replaceAll('<', '\\u003c')
  return `<!doctype html>
<!-- ${mark} -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(code)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeXml(`${drawing.corpus}: ${drawing.method}`)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="facts">${escapeXml(factsOf(drawing, shown))}</p>
${searchBox}
<p id="promise" class="note">${escapeXml(promise(shown))}</p>
</header>
<main>
<canvas id="canvas" tabindex="0" role="img" aria-label="The graph. Arrow keys move it, + and - zoom, 0 shows everything. The list of all nodes holds the same for a keyboard."></canvas>
<div class="zoom"><button type="button" id="zoom-in" aria-label="Zoom in">+</button><button type="button" id="zoom-out" aria-label="Zoom out">−</button><button type="button" id="zoom-all">Fit</button></div>
<div id="tip" hidden></div>
</main>
<footer>
<label>Edges <input id="threshold" type="range" min="0" max="0" value="0" step="1"></label><output id="shown" for="threshold"></output>
${legend(drawing.graph)}
</footer>
<aside>
<p id="hint" class="note">Press a node to read it.</p>
<section id="hits" aria-live="polite" hidden></section>
<section id="node" aria-live="polite" hidden></section>
${spectrumOf(drawing.graph)}
<details id="all"><summary>All nodes</summary></details>
<details><summary>What the search can do</summary><p>${escapeXml(honesty(drawing, shown))}</p></details>
</aside>
<script type="application/json" id="data">${data}</script>
<script>${code}</script>
</body>
</html>
`
}

const searchBox = `<div class="search" role="search">
<input id="search" type="search" role="combobox" aria-label="Search" aria-controls="offers" aria-expanded="false" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="What would a question retrieve?">
<button type="button" id="dark" hidden>Clear</button>
<ul id="offers" role="listbox" aria-label="Questions" hidden></ul>
</div>`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function factsOf({ graph: { nodes, edges } }: Drawing, shown: PageData): string {
  const kinds = [...new Set(nodes.map(({ kind }) => kind))].map(
    (kind) => `${nodes.filter((node) => node.kind === kind).length} ${kind}`,
  )
  const cut = shown.edges.length < edges.length ? `, of which this page holds the heaviest ${shown.edges.length}` : ''
  return `${kinds.join(' and ')} nodes, ${edges.length} edges${cut}`
}

/** What a page without a model can and cannot tell. */
function promise({ method, lookups }: PageData): string {
  const words = 'Words of your own are searched as words (BM25), not by embeddings.'
  return lookups.length === 0
    ? words
    : `Choose one of ${lookups.length} questions to see what ${method} retrieves for it. ${words}`
}

function spectrumOf({ spectrum = [], facts = [] }: Graph): string {
  if (spectrum.length + facts.length === 0) return ''
  const said = facts.map((fact) => `<p class="note">${escapeXml(fact)}</p>`).join('')
  return `<figure id="spectrum"><figcaption><h2>${spectrum.length > 0 ? 'Spectrum' : 'About this graph'}</h2></figcaption>${spectrumSvg(spectrum)}${said}</figure>`
}

function honesty({ method, lookups: asked, failed }: Drawing, { lookups }: PageData): string {
  const own = lookups.filter((lookup) => lookup.own).length
  const left = asked.length - lookups.length
  return [
    `This page holds no model, so it cannot embed a new question. What ${method} retrieves was looked up when the page was made, for ${lookups.length - own} questions of the dataset and ${own} given with --ask; the search box offers them.`,
    ...(left > 0 ? [`What was found for ${left} more had no room here.`] : []),
    ...(failed > 0 ? [`For ${failed} more a call to a model failed: they are not offered.`] : []),
    'Anything else that is typed is matched by its words with the texts and their utility questions. To look up a question of your own, make the page again with --ask "the question".',
  ].join(' ')
}
