import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mark } from '../../basics/files.ts'
import { drawing, hostile, noHealth } from '../../test-support/drawing.ts'
import type { Drawing } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { exportGraph, graphFormats, type GraphFormat } from './export.ts'
import { layout } from './layout.ts'
import { pageData, type PageData } from './page-data.ts'
import { graphPage, spectrumSvg } from './page.ts'

const textOf = (format: GraphFormat, drawn: Drawing): string => exportGraph(format, drawn).text
const html = textOf('html', drawing)
const none = { nodes: [], edges: [] }
const empty: Drawing = { method: 'm', corpus: 'c', graph: none, health: noHealth, lookups: [], failed: 0 }

/** What lies between the first such opening and its end. */
const inside = (text: string, open: string, close: string): string => {
  const from = text.indexOf(open) + open.length
  return text.slice(from, text.indexOf(close, from))
}

test('gives identical bytes for identical drawings, with a mark near the beginning', () => {
  for (const format of graphFormats) {
    const text = textOf(format, drawing)
    expect(text).toBe(textOf(format, drawing))
    expect(text.slice(0, 200)).toContain(mark)
  }
})

describe('the graph page', () => {
  test('escapes hostile texts and restores them unchanged', () => {
    expect(html).not.toContain('<img')
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script/g)).toHaveLength(2)
    const packed = inside(html, '<script type="text/plain" id="data">', '</script>')
    expect(packed).toMatch(/^[A-Za-z0-9+/=]+$/)
    const data = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString()) as PageData
    const { nodes, lookups } = pageData(drawing, layout(drawing.graph))
    expect(data).toMatchObject({ nodes, lookups })
    expect(data.edges).toContainEqual({ from: 1, to: 2, weight: 0.5, kind: hostile })
  })

  test('has a level switch and a legend per level, and neither without levels', () => {
    const { nodes } = drawing.graph
    const levels = [
      { name: 'level 0', groups: nodes.map(() => 1) },
      { name: 'level <1>', groups: nodes.map((_, index) => (index % 2) + 1) },
    ]
    const levelled = { ...drawing, graph: { ...drawing.graph, groups: ['all', 'odd'], levels } }
    expect(pageData(levelled, layout(levelled.graph)).levels).toEqual(levels)
    const text = textOf('html', levelled)
    expect(text).toContain('<option value="1">level &#60;1&#62;</option>')
    expect(text).toMatch(/<div data-level="0"><ul class="legend"[^]*<div data-level="1" hidden><ul class="legend"/)
    expect(html).not.toContain('<select')
  })

  test('allows its own script and style and nothing else', () => {
    const policy = inside(html, 'Content-Security-Policy" content="', '">')
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src ${hash(inside(html, '<script>', '</script>'))};`)
    expect(policy).toContain(`style-src ${hash(inside(html, '<style>', '</style>'))};`)
    expect(policy.startsWith("default-src 'none';")).toBe(true)
    expect(textOf('html', empty)).not.toMatch(/https?:|@import|url\(|\s(?:src|style|on\w+)=/)
  })

  test('states the limits of the search and the number of failed questions', () => {
    expect(html).toContain('Choose one of 2 questions')
    expect(html).toContain('cannot embed a new question')
    expect(html).toContain('1 more question is missing because a call to a model failed')
    expect(textOf('html', { ...drawing, lookups: [] })).not.toContain('Choose one of')
  })

  test('has less than 30 kB of code', () => {
    expect(Buffer.byteLength(textOf('html', empty))).toBeLessThan(30_000)
  })

  test.each([
    [2000, 8000, 0],
    [10_000, 10_000, 30_000],
  ])('has less than 400 kB without texts for %i nodes, and draws %i edges', (size, held, left) => {
    const large = memoryOf(size)
    const places = large.graph.nodes.map((_, index) => ({
      x: 2500 * Math.sin(index) - index / 9,
      y: 2500 * Math.cos(7 * index),
    }))
    const shown = pageData(large, places)
    expect(Buffer.byteLength(graphPage(large, shown))).toBeLessThan(400_000)
    expect([shown.edges.length, large.graph.edges.length - shown.edges.length]).toEqual([held, left])
    const said = graphPage(large, shown).includes(`the ${held} heaviest are drawn`)
    expect(said).toBe(left > 0)
    const weights = shown.edges.map(({ weight }) => weight)
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
  })

  test('shows the spectrum above the notes, and names of groups in the legend', () => {
    const [first = '', second = ''] = drawing.graph.notes ?? []
    expect(html).toContain(`<p class="note">${escapeXml(first)}</p><p class="note">${escapeXml(second)}</p></figure>`)
    expect(html).toContain(`data-group="2" title="${escapeXml(drawing.graph.groups?.[1] ?? '')}"`)
    const { groups: _groups, notes: _notes, ...unnamed } = drawing.graph
    expect(textOf('html', { ...drawing, graph: unnamed })).toMatch(/<span>group 1<\/span>[^]*<\/svg><\/figure>/)
  })

  test('lists the first of very many groups in the legend', () => {
    const nodes = Array.from({ length: 100 }, (_, index) => ({ id: '', kind: 'a', text: '', group: 1 + index }))
    const many = textOf('html', { ...empty, graph: { nodes, edges: [] } })
    expect(many.match(/data-group=/g)).toHaveLength(24)
    expect(many).toContain('and 76 more')
  })
})

/** As gem-rag draws many documents of 18 chunks and two themes each, without texts. */
function memoryOf(size: number): Drawing {
  const name = (index: number): string => String(index).padStart(6, '0')
  const nodes = Array.from({ length: size }, (_, index) => {
    const [document, place] = [Math.floor(index / 20), index % 20]
    const group = 2 * document + (place % 3)
    return place < 18
      ? {
          id: `${name(document)}:${name(place)}`,
          kind: 'chunk',
          text: '',
          group: place % 3 === 0 ? 0 : group,
          data: { questions: [], degree: 20 + Math.sin(index) },
        }
      : {
          id: `theme ${place - 17} of article-${document}`,
          kind: 'summary',
          text: '',
          group: 2 * document + place - 17,
          data: {
            questions: [],
            theme: place - 17,
            eigenvalue: Math.cos(index),
            members: [1, 4, 7, 2, 9].map((one) => index - place + one),
          },
        }
  })
  const edges = Array.from({ length: 4 * size }, (_, index) => {
    const from = index % size
    return {
      from,
      to: Math.min(size - 1, from + 1 + ((7 * index) % 19)),
      weight: 2 + Math.sin(index) + Math.cos(3 * index),
    }
  })
  const groups = Array.from(
    { length: size / 10 },
    (_, index) => `theme ${1 + (index % 2)} of article-${Math.floor(index / 2)}`,
  )
  const found = Array.from({ length: 5 }, (_, index) => ({ nodes: [index * 97], score: 0.123456789 / (1 + index) }))
  const lookups = Array.from({ length: 200 }, () => ({ question: '', own: false, found, evidence: [1, 2] }))
  return { ...empty, graph: { nodes, edges, groups }, lookups }
}

describe('GraphML', () => {
  const xml = textOf('graphml', drawing)

  test('is well-formed', () => {
    const open: string[] = []
    const body = xml.replace(/^<\?xml [^>]*\?>\n<!--[^-]*-->/, '')
    const texts = body.replace(
      /<(\/?)([a-z]+)((?: [a-z.]+="[^"<>&]*(?:&#\d+;[^"<>&]*)*")*)(\/?)>/g,
      (_, end: string, name: string, _attributes, empty: string) => {
        if (end) expect(open.pop()).toBe(name)
        else if (!empty) open.push(name)
        return ''
      },
    )
    expect(open).toEqual([])
    expect(texts.replace(/&#\d+;/g, '')).not.toMatch(/[<&]/)
  })

  test('holds coordinates, data and weights', () => {
    const { nodes, edges } = drawing.graph
    expect(xml.match(/<node /g)).toHaveLength(nodes.length)
    expect(xml.match(/<edge /g)).toHaveLength(edges.length)
    expect(xml).toContain('<key id="data1" for="node" attr.name="degree" attr.type="double"/>')
    expect(xml).toContain('<data key="data1">1.25</data>')
    expect(xml).toContain(`<data key="data0">[&#34;Who built the mill?&#34;]</data>`)
    expect(xml).toContain('<edge source="n4" target="n0"><data key="weight">2.5</data></edge>')
    expect(xml).toContain('<data key="group">1</data><data key="groupName">theme 1 of the mill</data>')
    expect(xml).toContain('<data key="group">0</data><data key="x">')
    expect(xml).toMatch(/<data key="x">-?[\d.]+<\/data>/)
  })
})

test('exports the drawing with coordinates as JSON', () => {
  const read = JSON.parse(textOf('json', drawing)) as { nodes: { x: number; y: number }[] } & Record<string, unknown>
  const { graph, ...rest } = drawing
  expect(read).toMatchObject({ ...rest, ...graph })
  expect(read.nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
})

test.each([
  ['a < b & "c"', 'a &#60; b &#38; &#34;c&#34;'],
  ["it's", 'it&#39;s'],
  ['tab\tline\n', 'tab\tline\n'],
  ['bell \u0007, half \ud83d, whole \u{1f600}', 'bell \ufffd, half \ufffd, whole \u{1f600}'],
])('escapes %j in XML as %j', (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped)
})

test('draws eigenvalues as bars above and below zero', () => {
  const svg = spectrumSvg([1, 0.5, -1])
  // six slots of 50 at least; 80 units for the range from 1 to -1, so zero lies at 42
  expect(svg).toContain('<rect x="7.5" y="2" width="35" height="40">')
  expect(svg).toContain('<rect x="57.5" y="22" width="35" height="20">')
  expect(svg).toContain('<rect x="107.5" y="42" width="35" height="40">')
  expect(svg).toContain('<path d="M0 42H300"/>')
  expect(spectrumSvg([])).toBe('')
})
