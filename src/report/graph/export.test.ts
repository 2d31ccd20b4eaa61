import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { drawing, hostile } from '../../testing/drawing.ts'
import type { Drawing } from '../../types.ts'
import { escapeXml } from './escape-xml.ts'
import { exportGraph, graphFormats } from './export.ts'
import { mark } from './mark.ts'
import { graphPage } from './page.ts'
import { mostEdges } from './page-data.ts'
import { spectrumSvg } from './spectrum.ts'

const html = exportGraph('html', drawing)
const empty: Drawing = { method: 'm', corpus: 'c', graph: { nodes: [], edges: [] }, lookups: [], failed: 0 }

/** What lies between the first such opening and its end. */
const inside = (text: string, open: string, close: string): string => {
  const from = text.indexOf(open) + open.length
  return text.slice(from, text.indexOf(close, from))
}

test('the same drawing gives the same bytes, which say near their beginning who made them', () => {
  for (const format of graphFormats) {
    const text = exportGraph(format, drawing)
    expect(text).toBe(exportGraph(format, drawing))
    expect(text.slice(0, 200)).toContain(mark)
  }
})

describe('the page', () => {
  test('hostile words are text, and come out as they went in', () => {
    expect(html).not.toContain('<img')
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script/g)).toHaveLength(2)
    const data: unknown = JSON.parse(inside(html, '<script type="application/json" id="data">', '</script>'))
    expect(data).toMatchObject({
      nodes: { id: drawing.graph.nodes.map(({ id }) => id), text: drawing.graph.nodes.map(({ text }) => text) },
      relations: [hostile],
      lookups: drawing.lookups,
    })
  })

  test('its policy allows its own script and style and nothing else', () => {
    const policy = inside(html, 'Content-Security-Policy" content="', '">')
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src ${hash(inside(html, '<script>', '</script>'))};`)
    expect(policy).toContain(`style-src ${hash(inside(html, '<style>', '</style>'))};`)
    expect(policy.startsWith("default-src 'none';")).toBe(true)
    expect(exportGraph('html', empty)).not.toMatch(/https?:|@import|url\(|\s(?:src|style|on\w+)=/)
  })

  test('it says what the search cannot do, and which questions failed', () => {
    expect(html).toContain('Choose one of 2 questions')
    expect(html).toContain('cannot embed a new question')
    expect(html).toContain('For 1 more a call to a model failed')
    expect(exportGraph('html', { ...drawing, lookups: [] })).not.toContain('Choose one of')
  })

  test('without its texts it stays below 400 kB, and its own code below 40 kB', () => {
    expect(Buffer.byteLength(exportGraph('html', empty))).toBeLessThan(40_000)
    const size = 2000
    const nodes = Array.from({ length: size }, (_, index) => ({ id: '', kind: 'chunk', text: '', group: index % 9 }))
    const edges = Array.from({ length: 8 * size }, (_, index) => ({
      from: index % size,
      to: (index * 7919 + 13) % size,
      weight: 1 + Math.sin(index),
    }))
    const found = Array.from({ length: 5 }, (_, index) => ({ nodes: [index], score: 0.123456789 }))
    const lookups = Array.from({ length: 200 }, () => ({ question: '', own: false, found, evidence: [1, 2] }))
    const places = nodes.map((_, index) => ({ x: -1000 + index / 3, y: 1000 - index / 7 }))
    const large = graphPage({ ...empty, graph: { nodes, edges }, lookups }, places)
    expect(Buffer.byteLength(large)).toBeLessThan(400_000)
    expect(large).toContain(`${edges.length} edges, of which this page holds the heaviest ${mostEdges}`)
  })
})

describe('GraphML', () => {
  const xml = exportGraph('graphml', drawing)

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

  test('holds places, data and weights', () => {
    const { nodes, edges } = drawing.graph
    expect(xml.match(/<node /g)).toHaveLength(nodes.length)
    expect(xml.match(/<edge /g)).toHaveLength(edges.length)
    expect(xml).toContain('<key id="data1" for="node" attr.name="degree" attr.type="double"/>')
    expect(xml).toContain('<data key="data1">1.25</data>')
    expect(xml).toContain(`<data key="data0">[&#34;Who built the mill?&#34;]</data>`)
    expect(xml).toContain('<edge source="n4" target="n0"><data key="weight">2.5</data></edge>')
    expect(xml).toMatch(/<data key="x">-?[\d.]+<\/data>/)
  })
})

test('JSON is the drawing with the places of its nodes', () => {
  const read = JSON.parse(exportGraph('json', drawing)) as { nodes: { x: number; y: number }[] } & Record<
    string,
    unknown
  >
  const { graph, ...rest } = drawing
  expect(read).toMatchObject({ ...rest, ...graph })
  expect(read.nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
})

test.each([
  ['a < b & "c"', 'a &#60; b &#38; &#34;c&#34;'],
  ["it's", 'it&#39;s'],
  ['tab\tline\n', 'tab\tline\n'],
  ['bell \u0007, half \ud83d, whole \u{1f600}', 'bell \ufffd, half \ufffd, whole \u{1f600}'],
])('escaped: %j', (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped)
})

test('the spectrum: bars stand on zero, or hang from it', () => {
  const svg = spectrumSvg([1, 0.5, -1])
  // six slots of 50 at least; 80 units for the range from 1 to -1, so zero lies at 42
  expect(svg).toContain('<rect x="7.5" y="2" width="35" height="40">')
  expect(svg).toContain('<rect x="57.5" y="22" width="35" height="20">')
  expect(svg).toContain('<rect x="107.5" y="42" width="35" height="40">')
  expect(svg).toContain('<path d="M0 42H300"/>')
  expect(spectrumSvg([])).toBe('')
})
