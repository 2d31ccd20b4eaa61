import { describe, expect, test } from 'vitest'
import { journalsOf, madeRun, scoreLine, scorerRecord, trialLine } from '../../test-support/fake-run.ts'
import type { IndexLine, Manifest, ScoreLine, TrialLine } from '../../records.ts'
import type { Usage, Trace } from '../../types.ts'
import { noUsage } from '../gather/usage.ts'
import { tableOf, type Table } from '../table/table.ts'
import { render } from './formats.ts'
import { mainNotes, notesOf, shortNotes } from './notes.ts'

const usage = (more: Partial<Usage> = {}): Usage => ({ ...noUsage, ...more })

const model = { provider: 'openai', model: 'small', parameters: {} }

const manifest: Manifest = {
  ...madeRun({ rows: {} }).manifest,
  dataset: { ...madeRun({ rows: {} }).manifest.dataset, questions: 4 },
  // what one passage of these trials fills by half
  budget: { passages: 2, tokens: 2 },
  models: { complete: model, embed: model, judge: model },
  methods: ['raptor', 'gem'].map((method) => ({ method, variant: '', id: method, use: method, options: {} })),
  scorers: ['faithfulness', 'relevancy'].map((scorer) =>
    scorerRecord(scorer, { judge: true, columns: [{ metric: 'share' }] }),
  ),
}

const index = (methodId: string, corpus: string, more: Partial<IndexLine>): IndexLine => ({
  line: 'index',
  id: `${methodId}.${corpus}`,
  method: '',
  variant: '',
  methodId,
  corpus,
  documents: 1,
  chunks: 1,
  usage: usage(),
  ...more,
})

const trial = (methodId: string, number: number, fallback?: string, more: Partial<TrialLine> = {}): TrialLine => {
  const why = fallback !== undefined && { why: { fallback } }
  const source = { from: ['a'], documents: ['a'], spans: [{ documentId: 'a', start: 0, end: 1 }] }
  return trialLine(methodId, String(number), {
    context: [{ text: 'x', score: 1, kind: 'chunk', tokens: 1, ...source, ...why }],
    answer: { text: 'x' },
    ...more,
  })
}

const score = (methodId: string, number: number, scorer: string, outcome: Partial<ScoreLine>, run = 0): ScoreLine =>
  scoreLine(methodId, String(number), {
    run,
    scorer,
    scorerId: scorer,
    usage: usage({ calls: 1, promptTokens: 10 }),
    ...outcome,
  })
const share = { metrics: { share: 1 } }
const broken = { failure: { phase: 'judge', kind: 'reply', message: '' } } as const

const canned = (methodId: string, number: number, stopped: TrialLine['stopped']): TrialLine =>
  trial(methodId, number, undefined, { context: [], stopped, answer: { text: 'Unanswerable', canned: true } })

const tabulate = (trials: (IndexLine | TrialLine)[], scores: ScoreLine[] = []): Promise<Table> => {
  return tableOf(manifest, journalsOf({ trials, scores }))
}
/** The notes but for those that say how to read the scores, and that not every question was asked. */
const notes = async (...lines: Parameters<typeof tabulate>): Promise<readonly string[]> =>
  notesOf(manifest, await tabulate(...lines)).filter(
    (note) => !/^Scores in percent|^Rows are not compared: |^share: |^Unfinished: /.test(note),
  )

describe('notes', () => {
  test('count missing trials over rows and repeats, and ignore surplus trials of earlier runs', async () => {
    const asked = await tabulate([1, 2, 3, 4, 5].map((number) => trial('raptor', number)).concat(trial('gem', 1)))
    const noted = (repeats: number) => notesOf({ ...manifest, repeats }, asked)
    expect(noted(1)).toContain('Unfinished: 5 of 8 trials; run the config again to finish.')
    expect(noted(2)).toContain('Unfinished: 6 of 16 trials; run the config again to finish.')
    const all = await tabulate(['raptor', 'gem'].flatMap((row) => [1, 2, 3, 4].map((number) => trial(row, number))))
    expect(notesOf(manifest, all).join()).not.toContain('Unfinished')
  })

  test('sum index warnings over corpora, and count a rebuilt index once', async () => {
    const fallbacks = (count: number) => ({ warnings: { 'clusterings that fell back from full to diag': count } })
    const storm = { failure: { phase: 'index', kind: 'server', message: '' } } as const
    expect(
      await notes([
        index('raptor', 'a', fallbacks(9)),
        index('raptor', 'b', storm),
        index('raptor', 'b', { warnings: { ...fallbacks(7).warnings, 'replies that could not be read': 1 } }),
      ]),
    ).toEqual(['Clusterings that fell back from full to diag: raptor 16; replies that could not be read: raptor 1.'])
  })

  test('count fixed answers after empty retrieval apart from those whose first passage exceeded the budget', async () => {
    const lines = [canned('raptor', 1, 'end'), canned('raptor', 2, 'tokens'), canned('raptor', 3, 'tokens')]
    const told = await notes([...lines, canned('gem', 1, 'tokens'), trial('gem', 2), trial('gem', 3)])
    expect(told.filter((note) => note.startsWith('Fixed answers'))).toEqual([
      'Fixed answers without a model call: no context was found: raptor 1.',
      'Fixed answers without a model call: the first passage did not fit the budget: raptor 2, gem 1.',
    ])
  })

  test('count fallbacks by reason, including those of failed answers', async () => {
    const failed = { failure: { phase: 'answer', kind: 'server', message: '' } } as const
    const { answer: _, ...unanswered } = trial('raptor', 3, 'dense: no fact was found', failed)
    const three = [trial('raptor', 1, 'dense: no fact was found'), trial('raptor', 2), unanswered]
    expect(await notes([...three, ...[1, 2, 3].map((number) => trial('gem', number))])).toEqual([
      'Failed trials, not in the means: raptor 1 (no reason given).',
      'Trials that used a fallback: raptor 2 of 3 (dense: no fact was found).',
    ])
  })

  test('report the vector database and the recall of its index, never rounded up', async () => {
    const told = (number: number, why: Trace): TrialLine => {
      const line = trial('raptor', number)
      return { ...line, context: line.context.map((passage) => ({ ...passage, why })) }
    }
    const store = (engine: string) => ({ stats: { 'vector: store': engine } })
    const lines = [
      index('raptor', 'c', store('P 1, HNSW index, ef at least 9')),
      told(1, { 'found of the nearest': [50, 50] }),
      told(2, { 'found of the nearest': [49_949, 49_950] }),
      told(3, {}),
      { ...told(1, { 'found of the nearest': [0, 50] }), id: 'raptor.1.1', repeat: 1 },
    ]
    const note = 'Vectors in a database: raptor in P 1, HNSW index, ef at least 9, recall'
    expect((await notes(lines)).find((text) => text.startsWith('Vectors'))).toBe(
      `${note} of an exact search 99.9 % (2 of 3 questions).`,
    )
    const others = [told(3, {}), index('gem', 'c', store('P 2, exact search')), trial('gem', 3)]
    expect(await notes([...lines.slice(0, 1), ...others])).toEqual([`${note} unknown, gem in P 2, exact search.`])
  })

  test('show the most frequent of many reasons', async () => {
    const reasons = ['a', 'b', 'c', 'b', 'd', 'e']
    const lines = ['raptor', 'gem'].flatMap((row) => reasons.map((reason, number) => trial(row, number, reason)))
    const each = '6 of 6 (2 b; 1 a; 1 c; 2 other reasons)'
    expect((await notes(lines))[0]).toBe(`Trials that used a fallback: raptor ${each}, gem ${each}.`)
  })

  test('say what scores are means of, and that one question has no standard error', async () => {
    const repeats = [0, 0.5, 1].map((share, repeat) => score('gem', 1, 'faithfulness', { metrics: { share }, repeat }))
    const [note] = notesOf(manifest, await tabulate([trial('gem', 1)], repeats)).filter((text) => /^Scores/.test(text))
    expect(note).toMatch(/^Scores in percent, means over 3 repeats; no standard error is available: too few questions/)
  })

  test('count truncated and repaired replies by phase', async () => {
    const asked = { retrieve: usage({ repaired: 2 }), answer: usage({ cut: 3 }) }
    const read = { cut: 9, repaired: 1, partial: 2 }
    expect(
      await notes(
        [index('gem', 'c', { usage: usage(read) }), trial('gem', 1, undefined, { usage: asked }), trial('raptor', 1)],
        [score('gem', 1, 'faithfulness', { ...share, usage: usage({ cut: 1 }) })],
      ),
    ).toEqual([
      'Replies cut off at the token limit: gem 13 (index 9, answer 3, judge 1).',
      'Replies with repaired JSON: gem 3 (index 1, retrieve 2).',
      'Replies with dropped malformed items: gem 2 (index 2).',
    ])
  })

  test('count answers that a scorer skipped in one judge run, with the most frequent reason', async () => {
    const declined = { skipped: 'the answer contains no statements' }
    const runs = [0, 1].flatMap((run) => [
      score('gem', 1, 'faithfulness', share, run),
      score('gem', 2, 'faithfulness', declined, run),
      score('gem', 3, 'faithfulness', run === 0 ? declined : { skipped: 'silence' }, run),
      score('gem', 4, 'faithfulness', broken, run),
    ])
    const table = await tabulate([], runs)
    expect(table.cells).toMatchObject([{ method: 'gem', scorer: 'faithfulness', n: 1, skipped: 2, failed: 2 }])
    expect(notesOf(manifest, table)).toContain(
      'faithfulness did not score 2 of 4 answers of gem (mostly: the answer contains no statements).',
    )
  })

  test('name rows whose contexts use less than half of both limits, but no reference rows', async () => {
    const table = await tabulate([trial('raptor', 1), trial('gem', 1)])
    const under = (budget: Manifest['budget'], methods = manifest.methods) =>
      notesOf({ ...manifest, budget, methods }, table).filter((note) => note.includes('half'))
    const both = 'raptor (1.0 passages, 1 tokens), gem (1.0 passages, 1 tokens)'
    expect(under({ passages: 3, tokens: 3 })).toEqual([`Contexts below half of the budget: ${both}.`])
    expect(under({ passages: 2, tokens: 500 })).toEqual([])
    expect(under({ passages: 5, tokens: 2 })).toEqual([])
    const [raptor, gem] = manifest.methods
    const reference = { ...raptor!, context: 'unlimited' } as const
    expect(under({ passages: 3, tokens: 3 }, [reference, gem!])).toEqual([
      'Contexts below half of the budget: gem (1.0 passages, 1 tokens).',
    ])
  })

  test('escape hostile texts of a method', async () => {
    const hostile = '<script>alert(1)</script>\n\\end{tabular} [x](y) 100%'
    const table = await tabulate([
      index('raptor', 'c', {
        warnings: JSON.parse(`{"__proto__": 2, ${JSON.stringify(hostile)}: 1}`) as Record<string, number>,
      }),
      trial('raptor', 1, hostile),
      trial('gem', 1),
    ])
    const markdown = render('md', manifest, table)
    expect(markdown).toContain('\\_\\_proto\\_\\_: raptor 2')
    expect(markdown).toContain(
      'Trials that used a fallback: raptor 1 of 1 (&lt;script>alert(1)&lt;/script> \\\\end{tabular} \\[x\\](y) 100%)',
    )
    const told = render('latex', manifest, table)
      .split('\n')
      .filter((line) => line.includes('script'))
    expect(told).toHaveLength(2)
    expect(told.every((line) => line.startsWith('% '))).toBe(true)
  })
})

test('the notes that matter most are missing and failed trials and the legend of scores, in display order', async () => {
  const offline: Manifest = { ...manifest, offline: ['extractive'] }
  const { answer: _answer, ...unanswered } = trial('raptor', 1)
  const failedTrial: TrialLine = { ...unanswered, failure: { phase: 'answer', kind: 'server', message: 'refused' } }
  const table = await tabulate([
    index('raptor', 'c', { warnings: { 'things lost': 1 }, usage: usage({ calls: 1, estimated: 1 }) }),
    failedTrial,
    trial('raptor', 2, undefined, { answer: { text: 'x', canned: true } }),
    trial('gem', 1),
  ])
  const { notes, more } = mainNotes(offline, table, 3)
  const all = notesOf(offline, table)
  expect(notes).toHaveLength(3)
  expect(more).toBe(all.length - 3)
  expect(more).toBeGreaterThan(0)
  expect(all.filter((note) => notes.includes(note))).toEqual(notes)
  expect(notes[0]).toBe(all[0])
  for (const words of ['Unfinished: 3 of 8 trials', 'refused'])
    expect(notes.filter((note) => note.includes(words))).toHaveLength(1)
  expect(shortNotes(offline, table)).toEqual([...notes, `${more} more note${more === 1 ? '' : 's'}: --full, table.md`])
})

test('a series names the runs that a note applies to, and the missing runs', async () => {
  const runs = [
    { ...manifest, hash: 'a', offline: ['extractive'], varied: [{ option: 'budget.tokens', text: '50' }] },
    { ...manifest, hash: 'b', budget: { passages: 5, tokens: 70 }, varied: [{ option: 'budget.tokens', text: '70' }] },
  ]
  const series: Manifest = {
    ...manifest,
    offline: ['extractive'],
    methods: runs.flatMap(({ hash }) =>
      manifest.methods.map((row) => ({ ...row, id: `${hash}.${row.id}`, run: hash })),
    ),
    series: { runs, varied: ['budget.tokens'], missing: ['tiny-c'] },
  }
  const table = await tableOf(series, { trials: none, scores: none, timings: none })
  const said = notesOf(series, table)
  expect(said).toContain('Offline stand-in (extractive (budget.tokens=50)): compares retrieval only, not answers.')
  expect(said).toContain('1 of 3 runs have not started: run the config again.')
})

async function* none(): AsyncGenerator<never> {}
