import { describe, expect, test } from 'vitest'
import type { Manifest, MethodRecord } from '../../records.ts'
import { madeRun, tableCell } from '../../test-support/fake-run.ts'
import type { Cell } from '../gather/estimate.ts'
import { drawChart } from './draw-chart.ts'
import { sweepsOf } from '../compare/trends.ts'
import { lineChart, type LineChart } from './line-chart.ts'
import { sweepCharts } from './sweep-charts.ts'

/** `variant` says which options are varied, as in `k=0, mode=x`. */
const row = (method: string, variant: string, options: object): MethodRecord => ({
  method,
  variant,
  options,
  varied: variant.split(', ').flatMap((part) => {
    const [option, text] = part.split('=')
    return option !== undefined && text !== undefined ? [{ option, text }] : []
  }),
  id: `${method} ${variant}`,
  use: 'gem-rag',
})

/** The sweeps: option, steps by curve, and rows that do not vary it. */
const sweepTexts = (methods: readonly MethodRecord[]) =>
  sweepsOf(methods).map(({ option, steps, unvariedRows: constantRows }) => [
    option,
    ...steps.map(({ curve, x }) => `${curve} ${x}`),
    constantRows.map(({ method }) => method).join(),
  ])

describe('sweeps', () => {
  test('name the other varied options of a curve, and skip options that are not numbers', () => {
    const methods = [
      row('gem', 'weights.a=0, mode=x', { weights: { a: 0 }, mode: 'x' }),
      row('gem', 'weights.a=0, mode=y', { weights: { a: 0 }, mode: 'y' }),
      row('gem', 'weights.a=1, mode=x', { weights: { a: 1 }, mode: 'x' }),
      row('gem', 'weights.a=1, mode=null', { weights: { a: 1 }, mode: null }),
    ]
    expect(sweepTexts(methods)).toEqual([
      ['weights.a', 'gem (mode=x) 0', 'gem (mode=y) 0', 'gem (mode=x) 1', 'gem (mode=null) 1', ''],
    ])
  })

  test('are derived from recorded config keys, but not from texts of digits', () => {
    const ofRun = (size: string, k: string) => row('gem', `chunks.size=${size}, k=${k}`, { k: 7 })
    const methods = [ofRun('50', '1'), ofRun('50', '"2"'), ofRun('100', '1'), ofRun('100', '"2"'), row('bm25', '', {})]
    expect(sweepTexts(methods)).toEqual([
      ['chunks.size', 'gem (k=1) 50', 'gem (k="2") 50', 'gem (k=1) 100', 'gem (k="2") 100', 'bm25'],
      // rows that vary something else belong to another figure
      ['k', 'gem (chunks.size=50) 1', 'gem (chunks.size=100) 1', 'bm25'],
    ])
  })
})

const cell = (variant: string, mean: number | null, reach: number | null = 0.03, subset = 'all'): Cell => {
  const hasInterval = mean !== null && reach !== null
  const interval = { low: hasInterval ? mean - reach : null, high: hasInterval ? mean + reach : null }
  return tableCell({ method: 'gem', variant, subset, mean, ...interval, n: 10, clusters: 10 })
}

const plain = madeRun({ rows: {} }).manifest
const [scorer] = plain.scorers
if (!scorer) throw new Error('a made run has a scorer')
const manifest: Manifest = {
  ...plain,
  name: 'sweep',
  methods: [row('gem', 'k=0', { k: 0 }), row('gem', 'k=2', { k: 2 }), row('gem', 'k=4', { k: 4 })],
  scorers: [
    {
      ...scorer,
      columns: [
        { metric: 'accuracy', label: 'accuracy' },
        { metric: 'accuracy', subset: 'hard', label: 'hard' },
      ],
    },
  ],
  dataset: { ...plain.dataset, name: 'tiny', questions: 10 },
  offline: ['extractive'],
}

const tableOf = (cells: readonly Cell[]) => ({ cells, usage: [] })

/** What the charts show: name, subtitle, and what is drawn. */
const charts = (of: Manifest, cells: readonly Cell[]) =>
  sweepCharts(of, tableOf(cells)).map(({ name, subtitle = [], spec }) => {
    const { data } = spec as { data: { values: Record<string, unknown>[] } }
    return { name, subtitle, values: data.values }
  })

describe('sweep charts', () => {
  test('exist for every varied number and column with scores', () => {
    const cells = [cell('k=0', 0.5, 0.02), cell('k=2', 0.6), cell('k=4', null, null), cell('k=0', 0.25, 0.03, 'hard')]
    const [all, hard, ...more] = charts(manifest, cells)
    expect(more).toEqual([])
    expect(all).toMatchObject({
      name: 'k-accuracy',
      subtitle: [
        'sweep: 10 questions of tiny; bands: 95 % interval of the mean over questions',
        'Offline stand-in (extractive): compares retrieval only, not answers.',
      ],
      values: [
        { name: 'gem', kind: 'point', at: 0, y: 50, low: expect.closeTo(48), high: expect.closeTo(52) },
        { name: 'gem', kind: 'point', at: 2, y: 60, low: expect.closeTo(57), high: expect.closeTo(63) },
      ],
    })
    expect(hard).toMatchObject({ name: 'k-accuracy-hard', values: [{ name: 'gem', kind: 'alone', y: 25 }] })
  })

  test('draw rows that do not vary the option as levels, at most eight', () => {
    const rows = Array.from({ length: 10 }, (_, index) => row(`other ${index}`, '', {}))
    const cells = [cell('k=0', 0.5), cell('k=2', 0.6), ...rows.map(({ method }) => ({ ...cell('', 0.4), method }))]
    const levels = (count: number) => {
      const [chart] = charts({ ...manifest, methods: [...manifest.methods, ...rows.slice(0, count)] }, cells)
      return { ...chart, values: chart?.values.filter(({ kind }) => kind === 'level') }
    }
    expect(levels(2).values?.map(({ name, y }) => [name, y])).toEqual([
      ['other 0, dashed: does not vary k', 40],
      ['other 1, dashed: does not vary k', 40],
    ])
    expect(levels(2).subtitle).toHaveLength(2)
    expect(levels(10).values).toHaveLength(8)
    expect(levels(10).subtitle?.[2]).toBe('hidden: 2 rows without k')
  })

  test('count rows with a single value instead of drawing them, and ignore seeds', () => {
    const methods = ['1, k=0', '1, k=2', '2, k=0', '3, k=0'].map((values) => row('gem', `seed=${values}`, {}))
    const shown = charts(
      { ...manifest, methods },
      methods.map(({ variant }) => cell(variant, 0.5)),
    )
    expect(shown.map(({ name, values }) => [name, values.map((value) => value['name'])])).toEqual([
      ['k-accuracy', ['gem (seed=1)', 'gem (seed=1)']],
    ])
    expect(shown[0]?.subtitle).toContain('hidden: 2 curves with a single value, or above 12')
  })

  test('have no bands for a single question, and do not exist without varied options', () => {
    const [chart] = charts(manifest, [cell('k=0', 0.5, null)])
    expect(chart?.subtitle[0]).toContain('no interval available')
    expect(chart?.values[0]?.['low']).toBeNull()
    expect(charts({ ...manifest, methods: [row('gem', '', { k: 2 })] }, [cell('', 0.5, null)])).toEqual([])
  })

  test('have unique file names that stay inside the folder', () => {
    const columns = [{ metric: '../../x' }, { metric: '.. / ..x' }]
    const scorers = [{ ...scorer, scorer: 'a/b', use: 'a/b', columns }]
    const cells = columns.map(({ metric }) => ({ ...cell('k=0', 0.5, null), scorer: 'a/b', metric }))
    expect(charts({ ...manifest, scorers }, cells).map(({ name }) => name)).toEqual(['k-a-b-x', 'k-a-b-x-2'])
  })
})

describe('drawing', () => {
  const figure: LineChart = {
    name: 'k-accuracy',
    title: 'accuracy by k',
    subtitle: ['one', 'two'],
    x: 'k',
    y: 'accuracy (%)',
    points: [
      { curve: 'gem', x: 0, y: 50, low: 46, high: 54 },
      { curve: 'gem', x: 2, y: 61.5, low: 60, high: 63 },
      { curve: 'other', x: 2, y: 40, low: 38, high: 42 },
    ],
    levels: [{ name: 'flat', y: 45, low: 42, high: 48 }],
  }

  test('gives identical bytes, with all points, bands and bars', async () => {
    const chart = lineChart(figure)
    const svg = await drawChart(chart)
    expect(await drawChart(chart)).toBe(svg)
    expect(svg).toMatch(/^<svg /)
    for (const { curve, x, y } of figure.points) expect(svg).toContain(`k: ${x}; accuracy (%): ${y}; ${curve}`)
    expect(svg.match(/aria-roledescription="point"/g)).toHaveLength(4)
    expect(svg.match(/aria-roledescription="area mark"/g)).toHaveLength(1)
    expect(svg.match(/stroke-dasharray="5,4"/g)).toHaveLength(1)
    for (const words of ['accuracy by k', 'one', 'two', 'gem', 'other', 'flat']) expect(svg).toContain(`>${words}</t`)
  })

  test('escapes markup in labels and removes characters that XML forbids', async () => {
    const hostile = '<script>alert(1)</script>"\'&\u0000\u001b\ud800\u2028{"signal":"1"}'
    const points = figure.points.map((point) => ({ ...point, curve: hostile }))
    const chart = lineChart({ ...figure, title: hostile, subtitle: [hostile], x: hostile, y: hostile, points })
    const svg = await drawChart(chart)
    expect(svg).toContain('&lt;script&gt;')
    expect(svg).not.toMatch(/<script|[\u0000-\u0008\u000b-\u001f\ud800-\udfff\u2028]/)
    expect(svg).not.toMatch(/&(?!(amp|lt|gt|quot|apos|#\d+);)/)
  })
})
