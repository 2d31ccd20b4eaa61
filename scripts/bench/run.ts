import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { small, type BenchRow } from './row.ts'

const run = promisify(execFile)
const child = fileURLToPath(new URL('run-child.js', import.meta.url))

/** The harness's own weight: trivial questions, bm25 and a model that answers at once, in a process of its own. */
export async function* runBench(): AsyncGenerator<BenchRow> {
  const few = await measure(small ? 50 : 1000)
  yield {
    name: 'a  1000 trivial questions, bm25, zero latency',
    figure: `${few.seconds.toFixed(2)} s, ${few.megabytes.toFixed(0)} MB`,
    goal: '< 1 s, < 150 MB',
    met: few.seconds < 1 && few.megabytes < 150,
    note: 'the whole command, with start-up and table; peak resident memory of the process',
  }
  const many = await measure(small ? 100 : 100_000)
  yield {
    name: 'a  100 000 of them',
    figure: `${many.seconds.toFixed(1)} s, ${many.megabytes.toFixed(0)} MB`,
    goal: '<= 1.5x the memory of 1000',
    met: many.megabytes <= 1.5 * few.megabytes,
    note: `${(many.megabytes / few.megabytes).toFixed(2)}x`,
  }
}

interface Measured {
  readonly seconds: number
  readonly megabytes: number
}

async function measure(questions: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  try {
    await writeProject(folder, questions)
    const { stderr } = await run(process.execPath, [child, folder], { cwd: folder })
    return JSON.parse(stderr) as Measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A dataset in Qasper's columnar form: papers of a few words with fifty questions each, one a line. */
export async function writeProject(folder: string, questions: number): Promise<void> {
  const papers = Array.from({ length: questions / 50 }, (_, paper) => JSON.stringify(paperOf(paper)))
  await writeFile(join(folder, 'qasper.jsonl'), papers.join('\n'))
  const config = {
    name: 'bench',
    dataset: { use: 'qasper', path: 'qasper.jsonl' },
    models: { complete: 'fake', embed: 'fake' },
    methods: ['bm25'],
    scorers: ['qasper-f1'],
  }
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
}

function paperOf(paper: number) {
  const fiftyOf = <T>(of: (index: number) => T): T[] => Array.from({ length: 50 }, (_, index) => of(index))
  const weights = Array.from(
    { length: 5 },
    (_, thing) => `Thing ${thing} of paper ${paper} is blue and weighs ${paper + thing} grams.`,
  )
  const answer = (thing: number) => ({
    unanswerable: false,
    extractive_spans: [`${paper + thing} grams`],
    yes_no: null,
    free_form_answer: '',
    evidence: [weights[thing]],
    highlighted_evidence: [],
  })
  return {
    id: `paper-${paper}`,
    title: `Paper ${paper}`,
    abstract: 'On the weights of things.',
    full_text: { section_name: ['Weights'], paragraphs: [weights] },
    qas: {
      question: fiftyOf((index) => `What does thing ${index % 5} weigh in case ${index}?`),
      question_id: fiftyOf((index) => `${paper}-${index}`),
      answers: fiftyOf((index) => ({ answer: [answer(index % 5)], annotation_id: ['a'], worker_id: ['w'] })),
    },
  }
}
