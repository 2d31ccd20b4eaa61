import { describe, expect, test } from 'vitest'
import type { IndexLine, Manifest, ScoreLine, TrialLine } from '../records.ts'
import type { Usage } from '../types.ts'
import { render } from './formats.ts'
import { conditionsOf, notesOf } from './notes.ts'
import { tableOf, type Table } from './table.ts'

const usage = (more: Partial<Usage> = {}): Usage => ({
  ...{ calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 },
  ...more,
})

const model = { provider: 'openai', model: 'small', parameters: {} }

const manifest: Manifest = {
  ...{ gembench: '0.0.0', name: 'tiny', hash: 'abcd1234', config: {}, git: null, versions: {}, machine: {} },
  ...{ seed: 42, repeats: 1, judgeRuns: 1 },
  dataset: {
    ...{ name: 'toy', source: '', licence: '', checksum: '', files: [] },
    ...{ corpora: 1, documents: 1, questions: 4, options: {} },
  },
  answers: 'short',
  chunks: { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' },
  budget: { passages: 5, tokens: 500 },
  models: { complete: model, embed: model, judge: model },
  offline: [],
  prompts: {},
  methods: ['raptor', 'gem'].map((method) => ({ method, variant: '', id: method, use: method, options: {} })),
  scorers: ['faithfulness', 'relevancy'].map((scorer) => ({
    ...{ id: scorer, scorer, use: scorer, version: 1, options: {}, kinds: ['answer'], judge: true },
    columns: [{ metric: 'share' }],
  })),
  ...{ started: '', finished: null },
}

const index = (contestant: string, corpus: string, more: Partial<IndexLine>): IndexLine => ({
  ...{ line: 'index', id: `${contestant}.${corpus}`, method: '', variant: '', contestant, corpus },
  ...{ documents: 1, chunks: 1, usage: usage() },
  ...more,
})

const trial = (contestant: string, number: number, fallback?: string, more: Partial<TrialLine> = {}): TrialLine => ({
  ...{ line: 'trial', id: `${contestant}.${number}`, method: '', variant: '', contestant, corpus: 'c', repeat: 0 },
  question: { id: String(number), text: '', reference: { kind: 'answer', accepted: [] } },
  context: [
    {
      ...{ text: 'x', score: 1, from: [], kind: 'chunk', tokens: 1, documents: [] },
      ...(fallback !== undefined && { why: { fallback } }),
    },
  ],
  stopped: 'end',
  answer: { text: 'x' },
  usage: { retrieve: usage(), answer: usage() },
  ...more,
})

const score = (
  contestant: string,
  number: number,
  scorer: string,
  outcome: Partial<ScoreLine>,
  run = 0,
): ScoreLine => ({
  ...{ trial: `${contestant}.${number}`, method: '', variant: '', contestant, repeat: 0, run },
  ...{ scorer, scorerId: scorer, subsets: [], usage: usage({ calls: 1, promptTokens: 10 }) },
  ...outcome,
})
const share = { metrics: { share: 1 } }
const broken = { failure: { phase: 'judge', kind: 'reply', message: '' } } as const

const tabulate = (trials: (IndexLine | TrialLine)[], scores: ScoreLine[] = []): Promise<Table> => {
  const stream = <T>(lines: T[]) =>
    async function* (): AsyncGenerator<T> {
      yield* lines
    }
  return tableOf(manifest, { trials: stream(trials), scores: stream(scores), meter: stream([]) })
}
/** The notes but for the first, which says how to read the scores. */
const notes = async (...lines: Parameters<typeof tabulate>): Promise<readonly string[]> =>
  notesOf(manifest, await tabulate(...lines)).slice(1)

describe('notes', () => {
  test('there are none where nothing went wrong', async () => {
    const lines = ['raptor', 'gem'].flatMap((row) => [
      index(row, 'c', { usage: usage({ calls: 3 }), stats: { questions: 5 } }),
      trial(row, 1),
    ])
    expect(await notes(lines, [score('raptor', 1, 'faithfulness', share)])).toEqual([])
  })

  test('what indexes lost is summed over corpora; an index made anew counts once', async () => {
    const fallbacks = (count: number) => ({ losses: { 'clusterings that fell back from full to diag': count } })
    const storm = { failure: { phase: 'index', kind: 'server', message: '' } } as const
    expect(
      await notes([
        index('raptor', 'a', fallbacks(9)),
        index('raptor', 'b', storm),
        index('raptor', 'b', { losses: { ...fallbacks(7).losses, 'replies that could not be read': 1 } }),
      ]),
    ).toEqual(['raptor: clusterings that fell back from full to diag (16), replies that could not be read (1).'])
  })

  test('fallbacks are counted by their reason, those of failed answers too', async () => {
    const failed = { failure: { phase: 'answer', kind: 'server', message: '' } } as const
    const { answer: _, ...unanswered } = trial('raptor', 3, 'dense: no fact was found', failed)
    const three = [trial('raptor', 1, 'dense: no fact was found'), trial('raptor', 2), unanswered]
    expect(await notes([...three, ...[1, 2, 3].map((number) => trial('gem', number))])).toEqual([
      'Failed trials are in no mean: raptor 1.',
      'raptor: 2 of 3 trials fell back (dense: no fact was found).',
    ])
  })

  test('of many reasons the commonest are shown', async () => {
    const reasons = ['a', 'b', 'c', 'b', 'd', 'e']
    const lines = ['raptor', 'gem'].flatMap((row) => reasons.map((reason, number) => trial(row, number, reason)))
    expect((await notes(lines))[0]).toBe('raptor: 6 of 6 trials fell back (2 b; 1 a; 1 c; 2 other reasons).')
  })

  test('replies that were cut or mended are counted by phase', async () => {
    const asked = { retrieve: usage({ repaired: 2 }), answer: usage({ cut: 3 }) }
    const read = { cut: 9, repaired: 1, partial: 2, skippedItems: 5 }
    expect(
      await notes(
        [index('gem', 'c', { usage: usage(read) }), trial('gem', 1, undefined, { usage: asked }), trial('raptor', 1)],
        [score('gem', 1, 'faithfulness', { ...share, usage: usage({ cut: 1 }) })],
      ),
    ).toEqual([
      'gem: 13 replies ended at the token limit (index 9, answer 3, judge 1), 3 replies read after repair (index 1, retrieve 2), 2 replies read without 5 items that did not fit (index 2).',
    ])
  })

  test("a paper's own count of calls stands beside ours, summed over corpora", async () => {
    const calls = (ours: number, paperCalls: number) => ({ usage: usage({ calls: ours }), stats: { paperCalls } })
    expect(await notes([index('gem', 'a', calls(100, 500)), index('gem', 'b', calls(94, 468))])).toContain(
      'gem: 194 calls at the index, embeddings among them, where its paper counts 968.',
    )
  })

  test('answers that a scorer declined are counted in one run of the judge, with the commonest reason', async () => {
    const declined = { skipped: 'the answer states nothing' }
    const runs = [0, 1].flatMap((run) => [
      score('gem', 1, 'faithfulness', share, run),
      score('gem', 2, 'faithfulness', declined, run),
      score('gem', 3, 'faithfulness', run === 0 ? declined : { skipped: 'silence' }, run),
      score('gem', 4, 'faithfulness', broken, run),
    ])
    const table = await tabulate([], runs)
    expect(table.cells).toMatchObject([{ method: 'gem', scorer: 'faithfulness', n: 1, skipped: 2, failed: 2 }])
    expect(notesOf(manifest, table)).toContain(
      'faithfulness of gem: 2 of 4 answers were not scored (mostly: the answer states nothing).',
    )
  })

  test('answers of all rows that are declined alike make one note', async () => {
    const declined = { skipped: 'no evidence' }
    const scores = ['raptor', 'gem'].flatMap((row) => [
      score(row, 1, 'relevancy', share),
      score(row, 2, 'relevancy', declined),
    ])
    expect(await notes([], scores)).toEqual(['relevancy of every row: 1 of 2 answers were not scored (no evidence).'])
  })

  test('what failed scores cost counts, once where they were made good', async () => {
    const [lost, mended] = [score('gem', 1, 'faithfulness', broken), score('gem', 2, 'faithfulness', broken)]
    const table = await tabulate([], [lost, mended, score('gem', 2, 'faithfulness', share)])
    const judged = table.usage.find(({ method, phase }) => method === 'gem' && phase === 'judge')
    expect(judged).toMatchObject({ calls: 2, promptTokens: 20 })
    expect(table.rows[1]).toMatchObject({ failed: 0, failedScores: 1 })
  })

  test('hostile words of a method become no markup', async () => {
    const hostile = '<script>alert(1)</script>\n\\end{tabular} [x](y) 100%'
    const table = await tabulate([
      index('raptor', 'c', {
        losses: JSON.parse(`{"__proto__": 2, ${JSON.stringify(hostile)}: 1}`) as Record<string, number>,
      }),
      trial('raptor', 1, hostile),
      trial('gem', 1),
    ])
    const markdown = render('md', manifest, table)
    expect(markdown).toContain('raptor: \\_\\_proto\\_\\_ (2), &lt;script>')
    expect(markdown).toContain(
      '1 of 1 trials fell back (&lt;script>alert(1)&lt;/script> \\\\end{tabular} \\[x\\](y) 100%)',
    )
    const told = render('latex', manifest, table)
      .split('\n')
      .filter((line) => line.includes('script'))
    expect(told).toHaveLength(2)
    expect(told.every((line) => line.startsWith('% '))).toBe(true)
  })
})

describe('conditions', () => {
  const under = (more: Partial<Manifest>): string => conditionsOf({ ...manifest, ...more })
  const chunks = (more: object) => under({ chunks: { ...manifest.chunks, size: 1500, ...more } })

  test.each([
    [chunks({}), '; chunks of 1500 tokens; '],
    [chunks({ overlap: 128 }), '; chunks of 1500 tokens, overlap 128; '],
    [chunks({ by: 'sentences' }), '; chunks of whole sentences up to 1500 tokens; '],
    [chunks({ by: 'none' }), '; documents uncut; '],
    [under({}), 'toy: 4 questions'],
    [
      under({ dataset: { ...manifest.dataset, options: { corpus: 'gold', file: null, lines: [0, 49], all: true } } }),
      'toy (corpus gold, lines [0,49], all true): 4 questions',
    ],
  ])('%s', (line, part) => expect(line).toContain(part))
})
