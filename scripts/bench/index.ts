/**
 * `npm run bench [NAME…] [-- --small]`: measures, and prints each row with its goal when it is done.
 * It never fails on slowness, but where a row ends with an error: the row says so, and those after it go on.
 * `--small` runs every part at its smallest size and saves nothing; otherwise RESULTS.md takes the rows.
 */
import { failureRow, describeMachine, isFailed, saveResults, formatRow, small, type BenchRow } from './row.ts'

/** What a part gives: its rows, one after the other or all at the end. */
type Rows = AsyncIterable<BenchRow> | Iterable<BenchRow>

const benches: Readonly<Record<string, () => Promise<Rows>>> = {
  run: async () => (await import('./run.ts')).runBench(),
  peers: async () => (await import('./peers.ts')).peersBench(),
  start: async () => (await import('./start.ts')).startBench(),
  calls: async () => (await import('./calls.ts')).callsBench(),
  workers: async () => (await import('./workers.ts')).workersBench(),
  minilm: async () => (await import('./minilm.ts')).minilmBench(),
  search: async () => (await import('./search.ts')).searchBench(),
  retrieval: async () => (await import('./retrieval.ts')).retrievalBench(),
  spectrum: async () => (await import('./spectrum.ts')).spectrumBench(),
  clusters: async () => (await import('./mixture.ts')).mixtureBench(),
  umap: async () => (await import('./umap.ts')).umapBench(),
  raptor: async () => (await import('./raptor.ts')).raptorBench(),
  tests: async () => (await import('./tests.ts')).testsBench(),
  graphrag: async () => (await import('./graphrag.ts')).graphragBench(),
  records: async () => (await import('./records.ts')).recordsBench(),
  pagerank: async () => (await import('./pagerank.ts')).pagerankBench(),
  passages: async () => (await import('./growth/passages-bench.ts')).passagesBench(),
  growth: async () => (await import('./growth/growth.ts')).growthBench(),
}
/** Parts that run only when they are named, or small: they take longer than the others together. */
const onlyNamed: ReadonlySet<string> = new Set(['growth', 'passages', 'retrieval'])

const requests = process.argv.slice(2).filter((name) => name !== '--small')
const unknown = requests.find((name) => !(name in benches))
if (unknown !== undefined) {
  process.stderr.write(`no benchmark "${unknown}"; there are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}

process.stdout.write(`${describeMachine()}\n\n`)
const rows: BenchRow[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (requests.length > 0 ? !requests.includes(name) : onlyNamed.has(name) && !small) continue
  const start = performance.now()
  try {
    for await (const row of await bench()) {
      rows.push(row)
      process.stdout.write(formatRow(row))
    }
  } catch (error) {
    const row = failureRow(name, error)
    rows.push(row)
    process.stdout.write(formatRow(row))
  }
  process.stderr.write(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s\n`)
}
if (!small) saveResults(rows.filter((row) => !isFailed(row)))
process.exit(rows.some(isFailed) ? 1 : 0)
