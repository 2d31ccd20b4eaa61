import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { mulberry32 } from '../../math/random.ts'
import type { summarise, utilityQuestions } from '../../tasks/pieces.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import { spectrumNotes } from './drawing.ts'
import { gemRag } from './gem-rag.ts'
import { spectrumOf } from './themes.ts'
import { ask, chunkAt, failing } from '../../test-support/ask-method.ts'

type SummariseInput = Parameters<typeof summarise.prompt>[0]
type UtilityQuestionsInput = Parameters<typeof utilityQuestions.prompt>[0]

const random = mulberry32(11)
const vocabulary = Array.from({ length: 40 }, (_, i) => `w${i}`)
/** Texts of some common words and some of their own. */
const texts = Array.from({ length: 30 }, () =>
  Array.from({ length: 12 }, () => vocabulary[Math.floor(random() ** 2 * 40)] ?? '').join(' '),
)

const chunks = texts.map((text, i) => chunkAt(i, text))

const models = (replies: Readonly<Record<string, FakeReply>> = {}) =>
  fakeModels({
    replies: {
      'utility-questions': ({ text, count }: UtilityQuestionsInput) =>
        [...new Set(text.split(' '))].slice(0, count).map((word) => `What is ${word}?`),
      summarise: ({ texts: given }: SummariseInput) =>
        given.map((text) => text.split(' ').slice(0, 3).join(' ')).join(' '),
      ...replies,
    },
  })
const build = (options: object) => gemRag.index(chunks, models(), gemRag.options.parse(options))

describe('the spectrum', () => {
  const remarks = async (options: object) => {
    const { themeEstimate, largestGapIndex, Lambda } = (await build(options)).stats?.() ?? {}
    return { themeEstimate, largestGapIndex, Lambda }
  }

  test('reports remarks 2 and 3 independently of the number of themes', async () => {
    const whole = await remarks({ components: 29 })
    expect(whole.largestGapIndex).toEqual(expect.any(Number))
    for (const options of [{ components: 0 }, { components: 1 }, { components: 2 }, { clustering: 'kmeans' }])
      expect(await remarks(options)).toEqual(whole)
  })

  test('retains negative weights with a note if clamping needs too much memory', () => {
    const factors = clusteredFactors({ n: 4100, d: 3, common: 1 })
    const options = gemRag.options.parse({ questions: 0 })
    const spectrum = spectrumOf(factors, options, () => 42)
    expect(spectrum.remarks.form).toBe('unclamped')
    expect(spectrumNotes(spectrum, 'it', options).at(-1)).toMatch(/^Negative weights count in these eigenvalues/)
  })
})

describe('deviations from the options are counted', () => {
  test.each<[object, number]>([
    [{}, 0],
    [{ components: 100 }, 71],
    [{ clustering: 'kmeans', components: 100 }, 71],
  ])('themes of %j', async (options, cut) => {
    const index = await build(options)
    expect(index.warnings?.()).toMatchObject({ 'themes fewer than asked for': cut })
  })

  test('counts unreadable questions and summaries without failing', async () => {
    const unreadable = failing('reply')
    let summaries = 0
    const using = models({
      'utility-questions': ({ text, count }: UtilityQuestionsInput) =>
        text === texts[0] ? unreadable() : text === texts[1] ? ['Only one?'] : texts.slice(0, count),
      summarise: () => (summaries++ === 0 ? unreadable() : 'a summary'),
    })
    const asked = { text: 'a summary', models: using, budget: { passages: 1, tokens: 100 } }
    const { passages, warnings } = await ask(gemRag, chunks, asked)
    expect(Object.fromEntries(Object.entries(warnings).filter(([, count]) => count > 0))).toEqual({
      'nodes without questions': 1,
      'nodes with fewer questions than the option asks for': 1,
      'summaries that could not be read or were refused': 1,
    })
    expect(passages).toMatchObject([{ kind: 'summary', why: { theme: 2 } }])
  })

  test('cuts summaries at 100 tokens, so that four nodes fit the budget', async () => {
    const using = models({ summarise: () => `A short sentence. Another that is ${'too '.repeat(100)}long.` })
    const budget = { passages: 40, tokens: 4000 }
    const { passages, warnings } = await ask(gemRag, chunks, { text: 'a sentence', models: using, budget })
    const summaries = passages.filter(({ kind }) => kind === 'summary')
    expect(summaries.map(({ text }) => text)).toEqual(['A short sentence.', 'A short sentence.'])
    expect(warnings).toMatchObject({ 'summaries cut at 100 tokens': 2 })
  })
})
