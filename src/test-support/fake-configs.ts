import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { packageFolder } from '../basics/files.ts'
import { registryOf, type Registry } from '../basics/loading.ts'
import {
  type Plan,
  type PlugInSpec,
  type ReadSettings,
  readConfig,
  readConfigs,
  type Registries,
} from '../config/index.ts'
import { UserError } from '../errors.ts'
import { taskFields } from '../tasks/index.ts'

const none = z.strictObject({})

const gemRag = z.strictObject({
  components: z.int().min(1).default(2).describe('eigenthemes'),
  questions: z.int().min(1).default(5).describe('utility questions of a chunk'),
  weights: z.strictObject({ alpha: z.number().min(0).max(1).default(0.5).describe('share') }).prefault({}),
  mode: z
    .union([z.enum(['eigen', 'flat']), z.number(), z.strictObject({ kind: z.enum(['walk', 'jump']) })])
    .default('eigen'),
})

const openai = z.strictObject({
  model: z.string().describe('name of the model at the server'),
  apiKey: z.string().optional(),
  baseUrl: z.url().default('https://models.example'),
  headers: z.record(z.string(), z.string()).optional(),
  temperature: z.number().min(0).max(2).default(0),
})

const registryOfList = <T extends PlugInSpec>(items: readonly T[]): Registry<T> =>
  registryOf(Object.fromEntries(items.map((item) => [item.name, () => Promise.resolve(item)])))

/**
 * Registries with a plug-in for every kind of
 * mistake; a plug-in's file exports a plug-in
 * called `mine` with one option, `depth`.
 */
export const fakeRegistries: Registries = {
  prompts: { tasks: taskFields, folder: join(packageFolder, 'configs', 'prompts') },
  datasets: registryOfList([
    { name: 'sample', options: none },
    { name: 'qasper', options: z.strictObject({ split: z.enum(['train', 'dev']).default('train') }) },
  ]),
  methods: registryOfList([
    {
      name: 'bm25',
      options: z.strictObject({
        k1: z.number().min(0).default(1.5).describe('how soon repeated words stop to count'),
        b: z.number().min(0).max(1).default(0.75).describe('how much long chunks pay'),
      }),
    },
    { name: 'gem-rag', options: gemRag },
    {
      name: 'needy',
      options: z.strictObject({
        rounds: z.int(),
        words: z.array(z.string()).max(2).default([]),
        side: z.enum(['left-only', 'both']).optional(),
      }),
    },
    {
      name: 'picky',
      options: z
        .strictObject({ low: z.number().default(0), high: z.number().default(1), hint: z.string().default('') })
        .refine(({ low, high }) => low < high, { path: ['low'], error: 'must be below high' })
        .refine(({ hint }) => !hint.startsWith('sk-'), {
          path: ['hint'],
          error: ({ input }) => `${JSON.stringify(input)} is a key`,
        }),
    },
  ]),
  scorers: registryOfList([
    { name: 'accuracy', options: none },
    { name: 'judged', options: z.strictObject({ scale: z.literal([5, 10]).default(5) }) },
  ]),
  models: registryOfList<PlugInSpec>([
    { name: 'extractive', options: none, can: ['complete'] },
    { name: 'minilm', options: none, can: ['embed', 'embedTokens'] },
    { name: 'openai', options: openai, can: ['complete', 'embed'] },
  ]),
  loadFile: async (kind, file) => {
    if (file.endsWith('broken.ts')) throw new UserError(`${file} exports no ${kind}`)
    return { name: 'mine', options: z.strictObject({ depth: z.int().default(1) }) }
  },
}

/** Files in a folder of their own, and `readConfig` in it; `remove` when done. */
export function configFolder(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-config-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    read: (sources: readonly string[], settings: Partial<ReadSettings> = {}): Promise<Plan> =>
      readConfig(sources, { cwd: folder, environment: {}, ...settings }, fakeRegistries),
    readAll: (sources: readonly string[], settings: Partial<ReadSettings> = {}): Promise<readonly Plan[]> =>
      readConfigs(sources, { cwd: folder, environment: {}, ...settings }, fakeRegistries),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Reads one config from its text. */
export async function readYaml(text: string | Uint8Array, settings: Partial<ReadSettings> = {}): Promise<Plan> {
  const { read, remove } = configFolder({ 'a.yaml': text, 'mine.ts': '', 'broken.ts': '' })
  return read(['a.yaml'], settings).finally(remove)
}

/** Reads one config of several runs from its text. */
export async function readRuns(text: string, settings: Partial<ReadSettings> = {}): Promise<readonly Plan[]> {
  const { readAll, remove } = configFolder({ 'a.yaml': text })
  return readAll(['a.yaml'], settings).finally(remove)
}

/** A config, the lines of the error that it makes, and the command line around it. */
export type MistakenConfig = readonly [
  text: string | Uint8Array,
  lines: string | readonly string[],
  settings?: Partial<ReadSettings>,
]

/** Expects mistakes that begin with these lines; the folder of the config is shown as `…`. */
export async function expectMistakes([text, lines, settings]: MistakenConfig): Promise<void> {
  const mistakes = await mistakesOf(readYaml(text, settings))
  expect(mistakes.map((mistake, index) => mistake.slice(0, [lines].flat()[index]?.length))).toEqual([lines].flat())
}

/** The lines of the UserError that a reading ends with. */
export async function mistakesOf(reading: Promise<unknown>): Promise<string[]> {
  const error: unknown = await reading.then(
    () => new Error('no mistake was found'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof UserError)) throw error
  return error.message.replaceAll(/\S*gembench-config-[^/]+/g, '…').split('\n')
}
