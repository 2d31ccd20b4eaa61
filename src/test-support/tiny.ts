import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, readConfigs, type Plan } from '../config/index.ts'
import { registries, type Settings } from '../run/index.ts'

const documents = {
  'the-mill': `# The Mill at Orrin

The mill at Orrin was built in 1841 by Tamsin Vale. It ground oats for three parishes until the weir broke.

When the weir broke in 1903, the wheel stopped. The miller, Edric Sloe, moved to Harrowgate and opened a bakery.`,
  'the-bakery': `# The Bakery

The bakery in Harrowgate sells rye bread. Edric Sloe baked there for twenty years.

After his death his niece Maud sold the oven to a museum in Lisk.`,
} as const

const questions = [
  {
    id: 'builder',
    kind: 'answer',
    question: 'Who built the mill at Orrin?',
    accepted: [
      { text: 'Tamsin Vale', type: 'extractive' },
      { text: 'It was Tamsin Vale', type: 'abstractive' },
    ],
    evidence: [{ document: 'the-mill', paragraph: 'The mill at Orrin was built' }],
  },
  {
    id: 'oven',
    kind: 'choice',
    question: 'Where did the oven of the miller go in the end?',
    options: ['To Orrin', 'To a museum in Lisk', 'To Maud', 'To the weir'],
    correct: 2,
    evidence: [
      { document: 'the-mill', paragraph: 'When the weir broke' },
      { document: 'the-bakery', paragraph: 'After his death' },
    ],
    tags: ['hard'],
  },
  {
    id: 'price',
    kind: 'answer',
    question: 'What did a loaf of rye bread cost?',
    accepted: [{ text: 'Unanswerable', type: 'unanswerable' }],
    evidence: [],
  },
] as const

/**
 * A temporary folder with a dataset of two documents and three questions in the form of the sample, and a config
 * `tiny.yaml` on it.
 */
export async function tinyProject(config: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-tiny-'))
  await mkdir(join(folder, 'data', 'documents'), { recursive: true })
  for (const [id, text] of Object.entries(documents))
    await writeFile(join(folder, 'data', 'documents', `${id}.md`), `${text}\n`)
  await writeFile(
    join(folder, 'data', 'questions.jsonl'),
    questions.map((question) => `${JSON.stringify(question)}\n`).join(''),
  )
  await writeConfig(folder, config)
  return folder
}

/** Writes `tiny.yaml` anew with other values. */
export const writeConfig = (folder: string, config: Readonly<Record<string, unknown>>): Promise<void> =>
  writeFile(join(folder, 'tiny.yaml'), JSON.stringify({ ...tinyConfig, ...config }, null, 2))

const tinyConfig = {
  name: 'tiny',
  dataset: { use: 'sample', path: 'data' },
  chunks: { size: 40 },
  budget: { passages: 2, tokens: 60 },
  models: { complete: 'extractive', embed: 'fake' },
  methods: ['closed-book', 'random', 'bm25', 'vector', 'full-context', 'oracle'],
}

/** The plan of a tiny project. */
export const tinyPlan = (folder: string, set: readonly string[] = []): Promise<Plan> =>
  readConfig(['tiny.yaml'], { cwd: folder, set, environment: {} }, registries)

/** The plans of a tiny project of several runs. */
export const tinyPlans = (folder: string, set: readonly string[] = []): Promise<readonly Plan[]> =>
  readConfigs(['tiny.yaml'], { cwd: folder, set, environment: {} }, registries)

/** Results and cache inside the project, or wherever they are wanted. */
export const tinySettings = (folder: string, settings: Partial<Settings> = {}): Settings => ({
  results: join(folder, 'results'),
  cacheFolder: join(folder, 'cache'),
  cache: true,
  signal: new AbortController().signal,
  ...settings,
})
