/** `npm run bench [NAME…]`: measures and prints a table with the goal beside each figure. It never fails on slowness. */
import { terminalGrid } from '../../src/cli/terminal-grid.ts'
import type { BenchRow } from './row.ts'

const benches: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  run: async () => (await import('./run.ts')).runBench(),
  start: async () => (await import('./start.ts')).startBench(),
  calls: async () => (await import('./calls.ts')).callsBench(),
  workers: async () => (await import('./workers.ts')).workersBench(),
  minilm: async () => (await import('./minilm.ts')).minilmBench(),
  search: async () => (await import('./search.ts')).searchBench(),
  recall: async () => (await import('./recall.ts')).recallBench(),
  spectrum: async () => (await import('./spectrum.ts')).spectrumBench(),
  mixture: async () => (await import('./mixture.ts')).mixtureBench(),
  raptor: async () => (await import('./raptor.ts')).raptorBench(),
  tests: async () => (await import('./tests.ts')).testsBench(),
  graphrag: async () => (await import('./graphrag.ts')).graphragBench(),
  records: async () => (await import('./records.ts')).recordsBench(),
  pagerank: async () => (await import('./pagerank.ts')).pagerankBench(),
  growth: async () => (await import('./growth.ts')).growthBench(),
}
/** Parts that take too long to run unasked. */
const onlyByName = ['growth']

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in benches))
if (unknown !== undefined) {
  process.stderr.write(`no benchmark "${unknown}"; there are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}

const rows: BenchRow[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : onlyByName.includes(name)) continue
  process.stderr.write(`${name} …\n`)
  rows.push(...(await bench()))
}
const verdict = ({ met }: BenchRow): string => (met === null ? '–' : met ? 'met' : 'missed')
process.stdout.write(
  `${terminalGrid({
    head: ['benchmark', 'figure', 'goal', '', 'note'],
    rows: rows.map((row) => [row.name, row.figure, row.goal, verdict(row), row.note ?? ''].map((text) => ({ text }))),
  })}\n`,
)
process.exit(0)
