import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mark } from '../../basics/files.ts'
import { drawing, hostile, noHealth } from '../../test-support/drawing.ts'
import type { Drawing } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { layout } from './layout.ts'
import { pageData, type PageData } from './page-data.ts'
import { graphPage } from './page.ts'

const textOf = async (drawn: Drawing): Promise<string> => (await graphPage(drawn)).text
const html = await textOf(drawing)
const none = { nodes: [], edges: [] }
const empty: Drawing = { method: 'm', corpus: 'c', graph: none, health: noHealth, lookups: [], failed: 0 }

/** What lies between the first such opening and its end. */
const inside = (text: string, open: string, close: string): string => {
  const from = text.indexOf(open) + open.length
  return text.slice(from, text.indexOf(close, from))
}

test('gives identical bytes for identical drawings, with a mark near the beginning', async () => {
  expect(html).toBe(await textOf(drawing))
  expect(html.slice(0, 200)).toContain(mark)
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

  test('allows its own script and style and nothing else', async () => {
    const policy = inside(html, 'Content-Security-Policy" content="', '">')
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src ${hash(inside(html, '<script>', '</script>'))};`)
    expect(policy).toContain(`style-src ${hash(inside(html, '<style>', '</style>'))};`)
    expect(policy.startsWith("default-src 'none';")).toBe(true)
    expect(await textOf(empty)).not.toMatch(/https?:|@import|url\(|\s(?:src|style|on\w+)=/)
  })

  test('states the limits of the search and the number of failed questions', async () => {
    expect(html).toContain('Choose one of 2 questions')
    expect(html).toContain('has no model to embed it')
    expect(html).toContain('1 question could not be looked up')
    expect(await textOf({ ...drawing, lookups: [] })).not.toContain('Choose one of')
  })

  test('has less than 30 kB of code', async () => {
    expect(Buffer.byteLength(await textOf(empty))).toBeLessThan(30_000)
  })

  test.each([
    [2000, 8000, 0],
    [10_000, 10_000, 30_000],
  ])('has less than 400 kB without texts for %i nodes, and draws %i edges', async (size, held, left) => {
    const large = memoryOf(size)
    const places = large.graph.nodes.map((_, index) => ({
      x: 2500 * Math.sin(index) - index / 9,
      y: 2500 * Math.cos(7 * index),
    }))
    const { text, leftOut } = await graphPage(large, places)
    expect(Buffer.byteLength(text)).toBeLessThan(400_000)
    expect(leftOut).toBe(left)
    expect(text.includes(`the ${held} heaviest are drawn`)).toBe(left > 0)
    const weights = pageData(large, places).edges.map(({ weight }) => weight)
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
  })
})

/** As gem-rag draws many documents of 18 chunks and two themes each, without texts. */
function memoryOf(size: number): Drawing {
  const nodes = Array.from({ length: size }, (_, index) => {
    const document = Math.floor(index / 20)
    const data = { questions: [], degree: 20 + Math.sin(index), theme: 1, members: [1, 4, 7, 2, 9] }
    const common = { text: '', group: 2 * document + (index % 2) }
    return index % 20 < 18
      ? { ...common, id: `${document}:${index}`, kind: 'chunk', data: { questions: [], degree: data.degree } }
      : { ...common, id: `theme ${index % 20} of article-${document}`, kind: 'summary', data }
  })
  const edges = Array.from({ length: 4 * size }, (_, index) => ({
    from: index % size,
    to: Math.min(size - 1, (index % size) + 1 + ((7 * index) % 19)),
    weight: 2 + Math.sin(index) + Math.cos(3 * index),
  }))
  const groups = Array.from({ length: size / 10 }, (_, index) => `theme ${1 + (index % 2)} of article-${index >> 1}`)
  const found = Array.from({ length: 5 }, (_, index) => ({ nodes: [index * 97], score: 0.123456789 / (1 + index) }))
  const lookups = Array.from({ length: 200 }, () => ({ question: '', own: false, found, evidence: [1, 2] }))
  return { ...empty, graph: { nodes, edges, groups }, lookups }
}

test.each([
  ['a < b & "c"', 'a &#60; b &#38; &#34;c&#34;'],
  ["it's", 'it&#39;s'],
  ['tab\tline\n', 'tab\tline\n'],
  ['bell \u0007, half \ud83d, whole \u{1f600}', 'bell \ufffd, half \ufffd, whole \u{1f600}'],
])('escapes %j in XML as %j', (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped)
})

test('draws eigenvalues as bars', async () => {
  expect(html.match(/aria-roledescription="bar"/g)).toHaveLength(drawing.graph.spectrum?.length ?? 0)
  expect(await textOf(empty)).not.toContain('<svg')
})
