import { describe, expect, test } from 'vitest'
import { hlgraphragPaper } from '../../test-support/hlgraphrag-paper.ts'
import { paperTable, type PaperTable } from '../paper/paper-table.ts'
import { audit } from './audit.ts'
import { auditSections } from './sections.ts'

const score = { run: 'a', scorer: 's', metric: 'm', unit: 'percent', tolerance: 1, decimals: 1 } as const

const paperOf = (more: object): PaperTable =>
  paperTable.parse({
    ...{ paper: 'A paper', table: 'Table 1', runs: { a: { configs: ['a.yaml'] } } },
    rows: { A: {}, B: {}, C: {}, All: { reference: true } },
    columns: { x: score, y: { ...score, metric: 'n' }, mean: { ...score, metric: 'o' } },
    cells: [{ row: 'A', column: 'x', value: 10 }],
    ...more,
  })

const cells = (column: string, values: Readonly<Record<string, number | null>>, more: object = {}) =>
  Object.entries(values).map(([row, value]) => ({ row, column, value, ...more }))

const textOf = (paper: PaperTable): readonly string[] =>
  auditSections(paper, audit(paper)).flatMap(({ parts }) =>
    parts.flatMap((part) => (typeof part === 'string' ? [part] : [part.title, ...part.grid.rows.map(lineOf)])),
  )

const lineOf = (row: readonly { readonly text: string }[]): string => row.map(({ text }) => text).join(' | ')

describe('HLGraphRAG, Figure 5.1, against its own appendix', () => {
  const found = audit(paperTable.parse(hlgraphragPaper))

  test('p = .15 does not follow from the runs, the other three do', () => {
    expect(found.pValues.map(({ row, than, u, stated, verdict }) => [row, than, u, stated, verdict])).toEqual([
      ['LangChain', 'GraphRAG', 225, 0, 'agrees'],
      ['GraphRAG', 'HL', 225, 0, 'agrees'],
      ['HL', 'HL+DW', 194, 0.15, 'disagrees'],
      ['HL+DW', 'HL+DW+RR', 225, 0, 'agrees'],
      ['HL', 'HL+DW+RR', 225, null, 'not checked'],
    ])
    // scipy 1.10.1
    expect(found.pValues[2]?.p).toBeCloseTo(3.719311439878918e-4, 12)
  })

  test('every row adds up to 1219; 65 chokes are 61.3 by the runs', () => {
    const of = (kind: string) => found.sums.filter((one) => one.kind === kind)
    expect(of('sum').map(({ where, verdict }) => [where, verdict])).toEqual(
      Object.keys(hlgraphragPaper.rows).map((row) => [row, 'agrees']),
    )
    const disagreeing = of('mean of runs').filter(({ verdict }) => verdict === 'disagrees')
    expect(disagreeing).toMatchObject([{ where: 'choke: HL+DW', stated: 65 }])
    const { low, high } = disagreeing[0] ?? {}
    expect(((low ?? 0) + (high ?? 0)) / 2).toBeCloseTo(61.333, 3)
    expect(of('mean of runs')).toHaveLength(6)
  })

  test('the runs give the noise, fewer chokes are better, and the mark of the least holds', () => {
    const [choke] = found.noise
    expect(found.noise).toHaveLength(1)
    expect(choke).toMatchObject({ column: 'choke', runs: 15, pairs: expect.any(Array) })
    expect(choke?.pairs[0]).toMatchObject({ better: 'HL+DW+RR', worse: 'HL+DW', exceeds: true })
    const unknownQuestions = 'beyond run noise, noise of questions not known'
    expect(found.claims).toMatchObject([
      { verdict: 'does not hold', pairs: [{ said: 'LangChain 1.25 times GraphRAG', values: [180, 130] }] },
      { verdict: unknownQuestions, pairs: [{ said: 'HL+DW+RR below Native', values: [33, 219] }, {}, {}, {}, {}] },
    ])
  })

  test('as text', () => {
    const text = textOf(paperTable.parse(hlgraphragPaper))
    expect(text).toContain(
      'disagrees: chokes fall (Figure 5.5; choke: HL above HL+DW): stated p = 0.15, its runs give p = 0.000372 (Mann–Whitney, one-sided, U = 194)',
    )
    expect(text).toContain('does not hold: LangChain failed 25% more than GraphRAG (Section 6; choke)')
    expect(text).toContain(
      'agrees: every conversation has one verdict (Figure 5.1; HL): the cells allow 1217.5 to 1220.5, stated 1219',
    )
  })
})

describe('shares', () => {
  const shares = { questions: { from: 1, to: 30 } }
  const share = { ...score, shareOf: 'questions' }
  const paper = (...values: readonly (number | null)[]): PaperTable =>
    paperOf({
      ...{ shares, columns: { x: share, half: { ...share, unit: 'fraction', metric: 'n' } } },
      cells: values.map((value, index) => ({ row: ['A', 'B', 'C'][index], column: 'x', value })),
    })

  test('what fits, in the range of the file or another; empty cells do not count', () => {
    expect(audit(paper(33.3, 50, null)).shares).toMatchObject([
      { of: 'questions', from: 1, to: 30, columns: ['x', 'half'], cells: 2, fits: [6, 12, 18, 24, 30], misfits: [] },
    ])
    expect(audit(paper(33.3, 50), { from: 31, to: 40 }).shares).toMatchObject([{ from: 31, to: 40, fits: [36] }])
  })

  test('where nothing fits, the cells that do not even fit alone', () => {
    const found = audit(paper(33.3, 10.1)).shares
    expect(found).toMatchObject([{ fits: [], misfits: [{ row: 'B', column: 'x', value: 10.1 }] }])
    expect(textOf(paper(33.3, 10.1))[0]).toBe(
      'questions: no number from 1 to 30 allows all 2 printed shares; none allows B in x (10.1)',
    )
  })

  test('fractions and percentages of the same things count together', () => {
    const mixed = paperOf({
      ...{ shares, columns: { x: share, half: { ...share, unit: 'fraction', metric: 'n', decimals: 3 } } },
      cells: [...cells('x', { A: 50 }), ...cells('half', { A: 0.333 })],
    })
    expect(audit(mixed).shares[0]?.fits).toEqual([6, 12, 18, 24, 30])
  })

  test.each([
    [[33.3, 50], 'questions: 6, 12, 18, 24, 30 are the numbers from 1 to 30 that allow all 2 printed shares'],
    [[100], 'questions: not known; 30 of the 30 numbers from 1 to 30 allow all 1 printed shares, 1 is the least'],
    [[3.7, 22.2], 'questions: 27, the only number from 1 to 30 that allows all 2 printed shares'],
    [[null], 'questions: the file has no number in a column that is a share of them'],
  ])('%j: %s', (values, line) => expect(textOf(paper(...values))[0]).toBe(line))
})

describe('sums', () => {
  const statement = { kind: 'mean', says: 'the last is the mean', place: 'p', of: ['x', 'y'], equals: 'mean' }

  test('in every row that has all of the numbers', () => {
    const paper = paperOf({
      statements: [statement],
      cells: [
        ...cells('x', { A: 10, B: 10, C: 1 }),
        ...cells('y', { A: 20.1, B: 20 }),
        ...cells('mean', { A: 15.1, B: 16 }),
      ],
    })
    expect(audit(paper).sums.map(({ where, verdict }) => [where, verdict])).toEqual([
      ['A', 'agrees'],
      ['B', 'disagrees'],
    ])
  })

  test('in every column, over rows', () => {
    const over = { kind: 'sum', says: 'the last is the sum', place: 'p', over: 'rows', of: ['A', 'B'], equals: 'All' }
    const paper = paperOf({
      statements: [over],
      cells: [...cells('x', { A: 1, B: 2, All: 3.1 }), ...cells('y', { A: 1, B: 2, All: 3.3 })],
    })
    expect(audit(paper).sums.map(({ where, verdict }) => [where, verdict])).toEqual([
      ['x', 'agrees'],
      ['y', 'disagrees'],
    ])
  })

  test('what no row has is said, not passed over', () => {
    expect(textOf(paperOf({ statements: [statement] }))[1]).toBe(
      'not checked: the last is the mean (p; x, y): no row has all of these numbers with its decimals',
    )
  })
})

describe('claims and run noise', () => {
  const inPrint = 'in this order in print, noise not known'
  const claim = { claim: 'A is best', place: 'Table 1', columns: ['x'], top: ['A'], of: ['B', 'C'] }
  const noisy = { x: { ...score, runs: 4 } }

  test.each([
    [{ A: 3, B: 2, C: 1 }, inPrint],
    [{ A: 2, B: 3, C: 1 }, 'does not hold'],
    [{ A: 2, B: 2, C: 1 }, 'within rounding'],
    [{ A: 2, B: null, C: 1 }, 'no number'],
    [{ A: 2, B: null, C: 3 }, 'does not hold'],
  ])('%j: %s', (values, verdict) => {
    expect(audit(paperOf({ claims: [claim], cells: cells('x', values) })).claims).toMatchObject([
      { claim: 'A is best', place: 'Table 1', verdict },
    ])
  })

  test('what runs alone explain is no more than within run noise; reference rows are not ranked', () => {
    const paper = paperOf({
      ...{ claims: [claim], columns: noisy },
      cells: cells('x', { A: 3, B: 2.5, C: 1, All: 9 }, { variance: 0.5 }),
    })
    const { claims, noise } = audit(paper)
    expect(claims).toMatchObject([
      {
        verdict: 'within run noise',
        pairs: [{ noise: { z: 1, asMeans: { z: 0.5 } } }, { verdict: 'within run noise by one reading of σ²' }],
      },
    ])
    expect(noise).toMatchObject([
      {
        ...{ column: 'x', runs: 4 },
        pairs: [
          { better: 'A', worse: 'B', exceeds: false },
          { better: 'A', worse: 'C', exceeds: true },
          { better: 'B', worse: 'C', exceeds: true },
        ],
      },
    ])
    expect(textOf(paper)).toContain('x, 4 runs: 2 of 3 pairs differ by more than run noise, 0 by both readings of σ²')
  })

  test('one run, or a variance of one row only, is no run noise', () => {
    const one = paperOf({ cells: cells('x', { A: 3, B: 2 }, { variance: 0.5 }) })
    const lone = paperOf({
      columns: noisy,
      cells: [...cells('x', { A: 3 }, { variance: 0.5 }), ...cells('x', { B: 2 })],
    })
    for (const paper of [one, lone]) {
      expect(audit(paper).noise).toEqual([])
      expect(textOf(paper).join()).toContain('no column has two rows with a variance over several runs')
    }
  })

  test('a ranked row without a variance is named, as nothing is said of it', () => {
    const paper = paperOf({
      columns: noisy,
      cells: [...cells('x', { A: 3, B: 2 }, { variance: 0.1 }), ...cells('x', { C: 4, All: 9 })],
    })
    expect(audit(paper).noise).toMatchObject([{ without: ['C'], pairs: [{ better: 'A', worse: 'B' }] }])
    expect(textOf(paper)).toContain(
      'x, 4 runs: 1 of 1 pairs differ by more than run noise, 0 by both readings of σ² (no variance: C)',
    )
  })

  const said = { claim: 'as said', place: 'Section 2', columns: ['x'] }
  const verdictOf = (claim: object, more: object = {}) =>
    audit(paperOf({ claims: [{ ...said, ...claim }], ...more })).claims[0]
  const values = cells('x', { A: 3, B: 3, C: 2, All: 9 })
  const lower = { x: { ...score, better: 'lower' } }

  test('the best rows: each against all others that are ranked, in the direction of the column', () => {
    expect(verdictOf({ top: ['A', 'B'] }, { cells: values })).toMatchObject({
      verdict: inPrint,
      pairs: [{ said: 'A above C' }, {}],
    })
    expect(verdictOf({ top: ['A'] }, { cells: values })).toMatchObject({ verdict: 'within rounding' })
    expect(verdictOf({ top: ['A'] }, { cells: values, columns: lower })).toMatchObject({ verdict: 'does not hold' })
    expect(verdictOf({ top: ['C'] }, { cells: values, columns: lower })).toMatchObject({
      verdict: inPrint,
      pairs: [{ said: 'C below A' }, {}],
    })
    expect(verdictOf({ last: 'C' }, { cells: values })).toMatchObject({
      verdict: inPrint,
      pairs: [{ said: 'A above C' }, {}],
    })
    // a row without a number is not ranked
    expect(verdictOf({ top: ['A'] }, { cells: cells('x', { A: 3, B: null, C: 2 }) })?.pairs).toHaveLength(1)
  })

  test.each([
    [{ same: 'A', as: ['C'] }, 'as printed, noise not known'],
    [{ same: 'A', as: ['C'], margin: 0.5 }, 'does not hold'],
    [{ same: 'A', as: ['C'], margin: '40%' }, 'does not hold'],
    [{ same: 'A', as: ['C'], margin: '50%' }, 'as printed, noise not known'],
    [{ notWorse: 'C', than: ['A'], margin: 0.5 }, 'does not hold'],
    [{ notWorse: 'A', than: ['C'], margin: 0.5 }, 'as printed, noise not known'],
    [{ times: 'A', than: 'C', from: 1.5, to: 1.5 }, 'as printed, noise not known'],
    [{ times: 'A', than: 'C', from: 1.2, to: 1.3 }, 'does not hold'],
    // 3.0 of 2.0 may be 2.95 of 2.05, which is 1.439
    [{ times: 'A', than: 'C', from: 1.3, to: 1.44 }, 'as printed, noise not known'],
  ])('%j: %s', (claim, verdict) => expect(verdictOf(claim, { cells: values })?.verdict).toBe(verdict))

  test('of several columns: all of them, or most; the lead in one against that in another', () => {
    const two = { cells: [...values, ...cells('y', { A: 2, B: 5, C: 2 }), ...cells('mean', { A: 6, B: 1, C: 1 })] }
    const all = { columns: ['x', 'y', 'mean'], order: ['A', 'C'] }
    expect(verdictOf(all, two)).toMatchObject({
      verdict: 'within rounding',
      pairs: [{ column: 'x' }, { column: 'y' }, {}],
    })
    expect(verdictOf({ ...all, mostly: true }, two)).toMatchObject({ verdict: inPrint })
    const lead = { columns: ['mean', 'x', 'y'], widest: 'A', of: ['B', 'C'] }
    expect(verdictOf(lead, two)).toMatchObject({ verdict: inPrint, pairs: [{ values: [5, 0] }, { values: [5, -3] }] })
    const cell = {
      cell: { row: 'A', column: 'mean' },
      than: [
        { row: 'B', column: 'y' },
        { row: 'All', column: 'x' },
      ],
    }
    const { columns: _, ...about } = said
    expect(audit(paperOf({ claims: [{ ...about, ...cell }], ...two })).claims[0]).toMatchObject({
      verdict: 'does not hold',
      pairs: [{ said: 'A (mean) above B (y)', verdict: inPrint }, { values: [6, 9] }],
    })
  })

  test('columns of tokens are added up, and fewer are better; a sentence without a column says why', () => {
    const tokens = { run: 'a', phases: ['index'], tokens: 'promptTokens', unit: 'thousands', tolerance: '25%' }
    const paper = paperOf({
      columns: { 'D: in': tokens, 'D: out': { ...tokens, tokens: 'completionTokens' } },
      cells: [...cells('D: in', { A: 1, B: 3 }), ...cells('D: out', { A: 4, B: 1 })],
      claims: [
        { ...said, columns: [['D: in', 'D: out']], order: ['B', 'A'] },
        { claim: 'B is faster', place: 'Section 3', without: 'no latency is printed' },
      ],
    })
    expect(audit(paper).claims).toMatchObject([
      { verdict: 'holds', pairs: [{ said: 'B below A', column: 'D: in + out', values: [4, 5] }] },
      { verdict: 'no number', reason: 'no latency is printed' },
    ])
    expect(textOf(paper)).toContain('no number: B is faster (Section 3; no latency is printed)')
  })

  describe('shares of n questions hold beyond binomial noise alone', () => {
    const share = { x: { ...score, shareOf: 'questions' } }
    const verdictAt = (
      from: number,
      to: number,
      values: Readonly<Record<string, number>>,
      more: object = { order: ['A', 'B'] },
    ) => verdictOf(more, { shares: { questions: { from, to } }, columns: share, cells: cells('x', values) })?.verdict

    test.each([
      // √(.5·.5/100 + .4·.6/100) is 7 points, of 1000 questions 2.2
      [100, { A: 50, B: 40 }, 'within binomial noise'],
      [1000, { A: 50, B: 40 }, 'holds'],
      [100, { A: 50, B: 36 }, 'holds'],
      // none right of 10 has a noise, too
      [10, { A: 0, B: 10 }, 'does not hold'],
      [10, { A: 10, B: 0 }, 'within binomial noise'],
    ])('n = %d, %j: %s', (n, values, verdict) => expect(verdictAt(n, n, values)).toBe(verdict))

    test('where n is not known exactly, by the most and by the fewest questions', () => {
      expect(verdictAt(100, 1000, { A: 50, B: 40 })).toBe(inPrint)
      expect(verdictAt(10, 20, { A: 50, B: 40 })).toBe('within binomial noise')
      expect(verdictAt(300, 1000, { A: 50, B: 40 })).toBe('holds')
      // 11 and 13 allow no such share
      expect(verdictAt(11, 13, { A: 50.1, B: 40 })).toBe(inPrint)
    })

    test('the same within a margin only where noise leaves it so', () => {
      const same = { same: 'A', as: ['B'], margin: 5 }
      expect(verdictAt(100, 100, { A: 50, B: 50 }, same)).toBe('within binomial noise')
      expect(verdictAt(5000, 5000, { A: 50, B: 50 }, same)).toBe('holds')
    })

    test('counts of the questions that a run asked, less what their runs average out', () => {
      const counts = { x: { ...score, unit: 'count', runs: 4 } }
      const runs = { a: { configs: ['a.yaml'], questions: 100 } }
      const count = (values: Readonly<Record<string, number>>, more: object = {}) =>
        verdictOf({ order: ['A', 'B'] }, { runs, columns: counts, cells: cells('x', values, more) })?.verdict
      // 10 of 100 are within 1.96·7
      expect(count({ A: 50, B: 40 })).toBe('within binomial noise')
      expect(count({ A: 50, B: 40 }, { variance: 0.1 })).toBe('within binomial noise')
      expect(count({ A: 50, B: 34 }, { variance: 4 })).toBe('holds')
    })
  })
})
