const appendix: Readonly<Record<string, readonly number[]>> = {
  Native: [220, 231, 217, 215, 212, 225, 235, 210, 217, 215, 239, 210, 213, 214, 218],
  LangChain: [179, 183, 181, 174, 183, 178, 184, 178, 176, 193, 182, 186, 175, 178, 175],
  GraphRAG: [134, 125, 135, 136, 120, 131, 130, 136, 134, 132, 131, 129, 125, 132, 127],
  HL: [71, 64, 63, 72, 65, 66, 75, 61, 63, 74, 68, 67, 72, 62, 65],
  'HL+DW': [58, 56, 64, 62, 65, 59, 61, 59, 64, 65, 58, 63, 63, 62, 61],
  'HL+DW+RR': [28, 30, 35, 34, 38, 28, 35, 29, 34, 38, 33, 34, 29, 27, 36],
}

const figure: Readonly<Record<string, readonly [choke: number, inaccurate: number, correct: number]>> = {
  Native: [219, 459, 541],
  LangChain: [180, 391, 648],
  GraphRAG: [130, 301, 788],
  HL: [67, 132, 1020],
  'HL+DW': [65, 121, 1033],
  'HL+DW+RR': [33, 80, 1106],
}

const columns = ['choke', 'inaccurate', 'correct'] as const

const column = { run: 'all', scorer: 'verdict', unit: 'number', decimals: 0, tolerance: '10%', runs: 15 } as const

const test = (row: string, than: string, p: number) =>
  ({
    says: 'chokes fall',
    place: 'Figure 5.5',
    column: 'choke',
    row,
    than,
    p,
    decimals: 2,
  }) as const

/**
 * Figure 5.1 of the HLGraphRAG paper (Zeng 2025) with the runs of its appendix and the tests that its text states,
 * in the form of configs/paper/.
 */
export const hlgraphragPaper = {
  paper: 'HLGraphRAG',
  table: 'Figure 5.1',
  runs: { all: { configs: ['none.yaml'] } },
  rows: Object.fromEntries(Object.keys(figure).map((row) => [row, {}])),
  columns: Object.fromEntries(
    columns.map((metric) => [metric, { ...column, metric, better: metric === 'correct' ? 'higher' : 'lower' }]),
  ),
  cells: Object.entries(figure).flatMap(([row, counts]) =>
    columns.map((metric, index) => ({
      row,
      column: metric,
      value: counts[index],
      ...(metric === 'choke' && { perRun: appendix[row] }),
    })),
  ),
  claims: [
    {
      claim: 'LangChain failed 25% more than GraphRAG',
      place: 'Section 6',
      columns: ['choke'],
      times: 'LangChain',
      than: 'GraphRAG',
      from: 1.25,
      to: 1.25,
    },
    { claim: 'HL+DW+RR chokes least', place: 'Figure 5.1', columns: ['choke'], top: ['HL+DW+RR'] },
  ],
  tests: [
    test('LangChain', 'GraphRAG', 0),
    test('GraphRAG', 'HL', 0),
    test('HL', 'HL+DW', 0.15),
    test('HL+DW', 'HL+DW+RR', 0),
    { ...test('HL', 'HL+DW+RR', 0), p: null },
  ],
}
