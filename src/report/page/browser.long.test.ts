import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TrialLine } from '../../records.ts'
import { chromium, openTab, type Tab, type Window } from '../../test-support/chromium.ts'
import { indexLines, journalsOf, madeRun, questionsWith, type MadeRun } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { makeReport } from './make-report.ts'
import type { PageRun } from './questions.ts'

const browser = chromium()
const wide = { width: 1600, height: 1000 }
const phone = { width: 400, height: 800, phone: true }
const hostile = '</script><img src=x onerror="window.hacked = 1"><!--'

/** Every text is hostile; q1 has two repeats with different answers, q2 fails in bm25. */
async function pageRun(name: string, rows: MadeRun['rows']): Promise<PageRun> {
  const { manifest, trials, scores } = madeRun({ rows, texts: { q1: `Who built it? ${hostile}` } })
  const none = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
  const changed = trials.map((trial): TrialLine => ({
    ...trial,
    usage: { ...trial.usage, answer: { ...none, calls: 1, promptTokens: 300 } },
    ...(trial.answer && { answer: { text: `${trial.method} says ${trial.repeat} ${hostile}` } }),
    question: { ...trial.question, evidence: [{ documentId: 'd', text: 'Tamsin Vale built' }] },
    beyond: [
      { from: ['c'], score: 0.5, kind: 'chunk', evidence: [0] },
      { from: [`gone ${hostile}`], score: 0.4, kind: 'chunk' },
    ],
    context: [
      {
        text: `In 1903 Tamsin Vale built it. ${hostile}`,
        score: 1,
        from: ['c'],
        kind: 'chunk',
        tokens: 9,
        documents: [`d ${hostile}`],
        spans: [],
        evidence: [0],
        why: { words: [hostile] },
      },
    ],
  }))
  const parts = { claims: [`The mill stands. ${hostile}`], verdicts: [{ verdict: 1, reason: 'it is said' }] }
  const judged = scores.map((score) => ({ ...score, ...(score.metrics && { parts }) }))
  const indexes = indexLines(manifest, (method) => (method === 'raptor' ? 1 : 0))
  const index = indexes.map((line) => ({ ...line, usage: { ...none, calls: 3, promptTokens: 5000 } }))
  const journals = journalsOf({ trials: [...index, ...changed], scores: judged })
  const graphs = [
    { row: 'bm25', corpus: 'c', address: 'graph.html' },
    { row: 'raptor', corpus: 'another', address: 'another.html' },
  ]
  const named = { ...manifest, name: `mills ${hostile}` }
  return { name, folder: name, manifest: named, ...journals, table: await tableOf(named, journals), graphs }
}

/** Three values of an option of one method. */
async function ablation(): Promise<PageRun> {
  const values = [1, 2, 3]
  const made = madeRun({
    rows: Object.fromEntries(
      values.map((value) => [`gem ${value}`, questionsWith(30, (index) => index % (value + 1))]),
    ),
  })
  const rowOf = (value: number) => ({ method: 'gem-rag', variant: `components=${value}`, id: `id of gem ${value}` })
  const methods = values.map((value) => ({
    ...rowOf(value),
    use: 'gem-rag',
    options: { components: value },
    varied: [{ option: 'components', text: String(value) }],
  }))
  const renamed = <T extends { readonly method: string }>(line: T): T => {
    const { method, variant } = rowOf(Number(line.method.slice(4)))
    return { ...line, method, variant }
  }
  const manifest = { ...made.manifest, methods }
  const journals = journalsOf({ trials: made.trials.map(renamed), scores: made.scores.map(renamed) })
  return {
    name: 'ablation',
    folder: 'ablation',
    manifest,
    ...journals,
    table: await tableOf(manifest, journals),
    graphs: [],
  }
}

const base = {
  raptor: { ...questionsWith(130, (index) => index % 2), q1: [[1], [0]] },
  bm25: { ...questionsWith(130, (index) => Number(index % 3 === 0)), q2: 'trial failed' },
} as const

describe.skipIf(browser === undefined)(
  'in a real browser (skipped without Chromium on the path or in GEMBENCH_CHROMIUM)',
  () => {
    let folder: string
    let tab: Tab

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gembench-report-'))
      const old = await pageRun('old', base)
      const now = await pageRun('new', { ...base, raptor: questionsWith(130, () => 1) })
      const pages = [
        { name: 'one.html', runs: [old] },
        { name: 'two.html', runs: [old, now] },
        { name: 'ablation.html', runs: [await ablation()] },
        { name: 'cut.html', runs: [old], maxLetters: 5000 },
      ]
      for (const { name, runs, ...settings } of pages) {
        const { text: page } = await makeReport(runs, { texts: true, ...settings })
        await writeFile(join(folder, name), page)
      }
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))
    afterEach(async () => {
      expect(await tab.evaluate("[window.hacked, document.querySelectorAll('img').length]")).toEqual([null, 0])
      expect(tab.complaints).toEqual([])
      expect(tab.requests.filter((one) => !one.startsWith('file://'))).toEqual([])
      await tab.close()
    })

    const open = async (name: string, window: Window): Promise<void> => {
      tab = await openTab(browser ?? '', `${pathToFileURL(folder).href}/${name}`, window)
    }
    const settled = (): Promise<unknown> => tab.evaluate('new Promise((done) => setTimeout(done, 300))')
    const questionOpened = (): Promise<unknown> =>
      tab.evaluate(
        "new Promise((done) => (function wait() { document.querySelector('article h2') ? done() : setTimeout(wait, 5) })())",
      )
    /** A property of every such element, by default its text. */
    const all = (selector: string, property = 'innerText'): Promise<unknown> =>
      tab.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.${property})`)
    const count = (selector: string): Promise<unknown> =>
      tab.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`)
    const text = (selector: string): Promise<unknown> =>
      tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText`)
    const choose = async (id: string, value: string): Promise<void> => {
      await tab.evaluate(
        `(() => { const one = document.getElementById('${id}'); one.value = '${value}'; for (const kind of ['change', 'input']) one.dispatchEvent(new Event(kind, { bubbles: true })) })()`,
      )
    }
    const rectangle = (selector: string): Promise<unknown> =>
      tab.evaluate(
        `(({ width, height }) => [width, height])(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
      )

    test('shows the recommendation, named figures and the table first, and opens within a second', async () => {
      await open('one.html', wide)
      expect(await text('h1')).toBe(`mills ${hostile}`)
      expect(await text('.verdict')).toMatch(/^Take raptor: at most /)
      // which row, two figures side by side, the questions, and then the tables with three notes open
      const order = "[...document.querySelectorAll('.verdict, .figures, #questions, #tables table')]"
      expect(await tab.evaluate(`${order}.slice(0, 4).map((one) => one.id || one.className || one.localName)`)).toEqual(
        [...['verdict', 'figures', 'questions', 'table']],
      )
      expect(
        await tab.evaluate(
          "[...document.querySelectorAll('.run > .figures > figure')].map((one) => Math.round(one.getBoundingClientRect().top)).every((top, _, all) => top === all[0])",
        ),
      ).toBe(true)
      expect(await count('#tables .run > ul > li')).toBe(3)
      expect(
        await tab.evaluate(
          "[...document.querySelectorAll('svg')].map((one) => one.dataset.name + ': ' + (one.getAttribute('aria-label').length > 40))",
        ),
      ).toEqual(['ranked: true', 'cost-per-question: true'])
      expect(await tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")).toBeLessThan(1000)
      expect(await text('#count')).toBe('130 of 130 questions')
      // every name of a figure lies within it
      expect(
        await tab.evaluate(
          "[...document.querySelectorAll('svg text')].filter((one) => !one.closest('details')).filter((one) => { const [a, b] = [one.getBoundingClientRect(), one.closest('svg').getBoundingClientRect()]; return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1 }).map((one) => one.textContent)",
        ),
      ).toEqual([])
    })

    test('filters, searches and sorts questions', async () => {
      await open('one.html', wide)
      await choose('filter', 'failed')
      expect(await text('#count')).toBe('1 of 130 questions')
      await choose('filter', 'wrong')
      await choose('row', '0')
      // the even ones; q1 is right in one of two repeats, which is half
      expect(await text('#count')).toBe('65 of 130 questions')
      await choose('row', 'every')
      expect(await text('#count')).toBe('42 of 130 questions')
      await choose('filter', 'all')
      await tab.evaluate('search.focus()')
      await tab.type('WHO it?')
      expect(await text('#count')).toBe('1 of 130 questions')
      expect(await text('#list button .name')).toBe(`Who built it? ${hostile}`)
      await tab.key('Escape')
      await choose('sort', 'lowest')
      expect(await text('#list button .name')).toBe('Text of q2')
      expect(await count('#list button')).toBe(100)
      await tab.evaluate("document.getElementById('more').click()")
      expect(
        await tab.evaluate(
          "[document.querySelectorAll('#list button').length, document.getElementById('more').hidden]",
        ),
      ).toEqual([130, true])
    })

    test('shows answers side by side with evidence, claims and traces', async () => {
      await open('one.html#q=q1', wide)
      await questionOpened()
      expect(await text('article h2')).toBe(`Who built it? ${hostile}`)
      expect(await all('.card h3')).toEqual(['raptor right in 1 of 2', 'bm25 wrong'])
      expect(await all('.card .answer')).toEqual([
        `raptor says 0 ${hostile} (1 of 2)`,
        `raptor says 1 ${hostile} (1 of 2)`,
        `bm25 says 0 ${hostile}`,
      ])
      expect(await tab.evaluate("document.querySelector('.card:last-child .text mark').textContent")).toBe(
        'Tamsin Vale built',
      )
      await tab.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
      const card = await text('.card:last-child')
      for (const words of [
        `The mill stands. ${hostile}`,
        'reason it is said',
        `words: ${hostile}`,
        '1 passage, 9 tokens; cut off by ',
        ': ranks 2 to 3; evidence at rank 2',
        `gone ${hostile}`,
        'answer: 1 call',
      ])
        expect(card).toContain(words)
    })

    test('lists every question before printing', async () => {
      await open('one.html', wide)
      const listed = "document.querySelectorAll('#list button').length"
      expect(await tab.evaluate(listed)).toBe(10)
      await tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
      expect(await tab.evaluate(listed)).toBe(130)
    })

    test('is usable by keyboard: list, open, next, back to the same place', async () => {
      await open('one.html', wide)
      await tab.key('/')
      expect(await tab.evaluate('document.activeElement.id')).toBe('search')
      await tab.key('ArrowDown')
      await tab.key('ArrowDown')
      await tab.evaluate('document.activeElement.click()')
      await settled()
      await questionOpened()
      expect(await tab.evaluate('[location.hash, document.activeElement.id]')).toEqual(['#q=q1', 'question'])
      await tab.key('ArrowRight')
      await settled()
      expect(await text('article h2')).toBe('Text of q2')
      expect(await text('article nav .note')).toBe('3 of 130 · q2')
      await tab.key('Escape')
      await settled()
      expect(
        await tab.evaluate(
          '[document.activeElement.innerText.includes("Text of q2"), document.getElementById("question").hidden]',
        ),
      ).toEqual([true, true])
    })

    test('begins with the changes between two runs, which can be filtered', async () => {
      await open('two.html', wide)
      expect(await text('#summary h2')).toBe('From old to new')
      expect(await text('#summary .verdict')).toMatch(/^raptor: better; change /)
      expect(await text('body')).not.toContain('not directly comparable')
      await choose('filter', 'fixed')
      expect(await text('#count')).toBe('66 of 130 questions')
      await choose('filter', 'regressed')
      expect(await text('#count')).toBe('0 of 130 questions')
      await choose('filter', 'stillFailing')
      await choose('row', '1')
      expect(await text('#count')).toBe('86 of 130 questions')
      await tab.evaluate("location.hash = 'q=q3'")
      await settled()
      expect(await count('.card')).toBe(4)
    })

    test('lists questions whose details a large page leaves out', async () => {
      await open('cut.html#q=q120', wide)
      await questionOpened()
      expect(await text('header .note:last-child')).toContain('Details of the first 50 questions only')
      expect(await text('article')).toContain('This page has no details of this question.')
      await tab.evaluate("location.hash = 'q=q20'")
      await settled()
      expect(await count('.card .answer')).toBe(2)
    })

    test.each([
      ['one.html', phone],
      ['one.html#q=q1', phone],
      ['two.html', phone],
      ['two.html', wide],
    ])('%s is as wide as the window %o', async (name, window) => {
      await open(name, window)
      if (name.includes('#')) await questionOpened()
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(window.width)
      const [width] = (await rectangle('main')) as [number, number]
      expect(width).toBeGreaterThan(0.9 * Math.min(window.width, 1500) - 100)
    })

    test('shows name and score of a row on a phone, and keeps the name visible while the table scrolls', async () => {
      await open('one.html', phone)
      const place = (selector: string): Promise<unknown> =>
        tab.evaluate(
          `(({ left, right }) => [left >= 0, right <= ${phone.width}])(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
        )
      const [name, score] = ['tbody th', 'tbody .number'].map((one) => `#tables .wide ${one}`) as [string, string]
      expect([await place(name), await place(score)]).toEqual([
        [true, true],
        [true, true],
      ])
      await tab.evaluate("document.querySelector('.costs .wide').scrollLeft = 200")
      expect(await tab.evaluate("document.querySelector('.costs .wide').scrollLeft")).toBe(200)
      expect(await place('.costs tbody th')).toEqual([true, true])
    })

    test('names the rows of an ablation by what varies, and draws its charts in the colours of the page', async () => {
      await open('ablation.html', { ...wide, dark: true })
      expect(await all('.run > .figures svg', 'dataset.name')).toEqual(['ranked', 'components-accuracy'])
      expect(
        await tab.evaluate(
          "[...document.querySelectorAll('[data-name=ranked] text')].map((one) => one.textContent).filter((one) => one.startsWith('components')).sort()",
        ),
      ).toEqual(['components 1', 'components 2', 'components 3'])
      expect(await tab.evaluate("getComputedStyle(document.querySelector('[data-name^=comp] text')).fill")).toBe(
        'rgb(163, 167, 172)',
      )
    })

    test('draws light figures in dark mode, and names every control', async () => {
      await open('one.html', { ...wide, dark: true })
      expect(
        await tab.evaluate(
          "[getComputedStyle(document.querySelector('svg text[text-anchor=end]')).fill, getComputedStyle(document.body).backgroundColor]",
        ),
      ).toEqual(['rgb(232, 229, 223)', 'rgb(21, 23, 26)'])
      expect(
        await tab.evaluate(
          "[...document.querySelectorAll('button, select, input')].filter((one) => one.textContent === '' && !one.labels?.length).length",
        ),
      ).toBe(0)
    })
  },
)
