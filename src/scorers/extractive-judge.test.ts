import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMeter, inMemoryCache, openModels, type OpenedModels } from '../models/index.ts'
import { tokenizer } from '../text/tokens.ts'
import type { ScorerInput, ContextPassage, Models, Scorer } from '../types.ts'
import { answerRelevancy } from './answer-relevancy.ts'
import { contextPrecision } from './context-precision.ts'
import { contextRecall } from './context-recall.ts'
import { factualCorrectness } from './factual-correctness.ts'
import { faithfulness } from './faithfulness.ts'

let models: OpenedModels
beforeAll(async () => {
  const extractive = { use: 'extractive', options: {} }
  models = await openModels(
    { complete: extractive, embed: { use: 'fake', options: {} }, judge: extractive },
    {
      cache: inMemoryCache(),
      tokenizer: tokenizer('o200k_base'),
      cacheFolder: '',
      signal: new AbortController().signal,
    },
  )
})
afterAll(() => models.close())

/** The judge of one run. */
const judge = (run = 0): Models => models.scope({ phase: 'judge', sample: run, seed: [run], meter: createMeter() })

const passage = (text: string): ContextPassage => ({
  text,
  score: 1,
  from: ['c'],
  kind: 'chunk',
  tokens: 1,
  documents: ['d'],
  spans: [],
})

const built = 'The mill at Orrin was built in 1841 by Tamsin Vale.'
const moved = 'The miller, Edric Sloe, moved to Harrowgate and opened a bakery.'
const sold = 'The bakery in Harrowgate sells rye bread.'

const asked = (answer: string, context: readonly string[], expected = built): ScorerInput => ({
  question: {
    id: 'q',
    text: 'Who built the mill at Orrin?',
    reference: { kind: 'answer', accepted: [{ text: expected }] },
  },
  context: context.map(passage),
  answer: { text: answer },
})

async function metrics(scorer: Scorer, one: ScorerInput, run = 0): Promise<Readonly<Record<string, number>>> {
  const score = await scorer.score(one, judge(run), scorer.options.parse({}))
  return 'metrics' in score ? score.metrics : {}
}

describe('the offline judge', () => {
  test('factual correctness of a right, a half right and a wrong answer', async () => {
    expect(await metrics(factualCorrectness, asked(built, []))).toMatchObject({
      factualCorrectness: 1,
      directionConsistentF1: 1,
    })
    const half = `${built} ${sold}`
    expect(await metrics(factualCorrectness, asked(half, []))).toMatchObject({ factualCorrectness: 0.67, recall: 1 })
    expect(await metrics(factualCorrectness, asked(sold, []))).toMatchObject({ factualCorrectness: 0 })
  })

  test('faithfulness', async () => {
    expect(await metrics(faithfulness, asked(`${built} ${sold}`, [moved, built]))).toEqual({ faithfulness: 0.5 })
  })

  test('context precision', async () => {
    const one = (...context: string[]) => metrics(contextPrecision, asked('', context))
    expect(await one(built, sold)).toEqual({ contextPrecision: expect.closeTo(1, 9) as number })
    expect(await one(sold, built)).toEqual({ contextPrecision: expect.closeTo(0.5, 9) as number })
  })

  test('context recall', async () => {
    const expected = `${built} ${moved}`
    expect(await metrics(contextRecall, asked('', [sold, moved], expected))).toEqual({ contextRecall: 0.5 })
  })

  test('answer relevancy: an answer to the question, one to another, and none', async () => {
    const value = async (answer: string) =>
      (await metrics(answerRelevancy, asked(answer, [])))['answerRelevancy'] ?? NaN
    const [right, beside] = [await value('Tamsin Vale built the mill at Orrin.'), await value(sold)]
    expect(right).toBeGreaterThan(beside)
    expect(await value('There is no information to answer this question.')).toBe(0)
  })

  test.each<readonly [string, Scorer]>(
    [factualCorrectness, faithfulness, contextPrecision, contextRecall, answerRelevancy].map((one) => [one.name, one]),
  )('%s: every run judges alike', async (_, scorer) => {
    const runs = await Promise.all([0, 1, 2, 3, 4].map((run) => metrics(scorer, asked(built, [sold, built]), run)))
    expect(runs[0]).not.toEqual({})
    for (const run of runs) expect(run).toEqual(runs[0])
  })
})
