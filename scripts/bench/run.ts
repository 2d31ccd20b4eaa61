import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchRow } from './row.ts'

const run = promisify(execFile)
const child = fileURLToPath(new URL('run-child.js', import.meta.url))

/** The harness's own weight: trivial questions, bm25 and a model that answers at once, in a process of its own. */
export async function runBench(): Promise<readonly BenchRow[]> {
  const small = await measure(1000)
  const large = await measure(100_000)
  return [
    {
      name: 'a  1000 trivial questions, bm25, zero latency',
      figure: `${small.seconds.toFixed(2)} s, ${small.megabytes.toFixed(0)} MB`,
      goal: '< 1 s, < 150 MB',
      met: small.seconds < 1 && small.megabytes < 150,
      note: 'after start-up; peak resident memory of the process',
    },
    {
      name: 'a  100 000 of them',
      figure: `${large.seconds.toFixed(1)} s, ${large.megabytes.toFixed(0)} MB`,
      goal: 'flat memory',
      met: large.megabytes < 2 * small.megabytes,
      note: `${(large.megabytes / small.megabytes).toFixed(2)}x the memory of 1000; met below 2x`,
    },
  ]
}

interface Measured {
  readonly seconds: number
  readonly megabytes: number
}

async function measure(questions: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  try {
    await writeProject(folder, questions)
    const { stdout } = await run(process.execPath, [child, folder], { cwd: folder })
    return JSON.parse(stdout) as Measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Many corpora of fifty questions each, as a long dataset is. */
async function writeProject(folder: string, questions: number): Promise<void> {
  await mkdir(join(folder, 'data'))
  await writeFile(
    join(folder, 'dataset.mjs'),
    `import { defineDataset, z } from 'gembench'
     const file = ${JSON.stringify(join(folder, 'config.yaml'))}
     export const trivial = defineDataset({ name: 'trivial', summary: '', source: '', licence: '', evidence: true, answers: 'short', options: z.strictObject({}),
       files: async () => [file],
       async *corpora() {
         for (let c = 0; c < ${questions} / 50; c++) yield {
           id: 'c' + c,
           documents: Array.from({ length: 5 }, (_, d) => ({ id: 'd' + d, text: 'Corpus ' + c + ' document ' + d + ' says that the colour of thing ' + d + ' is blue and its weight is ' + (c + d) + ' grams.' })),
           questions: Array.from({ length: 50 }, (_, q) => ({ id: c + '-' + q, text: 'What is the weight of thing ' + (q % 5) + ' in case ' + q + '?', reference: { kind: 'answer', accepted: [{ text: 'blue' }] } })),
         }
       } })`,
  )
  const config = {
    name: 'bench',
    dataset: { use: './dataset.mjs', path: 'data' },
    models: { complete: 'fake', embed: 'fake' },
    methods: ['bm25'],
    concurrency: 64,
  }
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
}
