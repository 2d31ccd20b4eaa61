import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { limitUsage } from '../../models/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { readResults } from '../../test-support/read-results.ts'
import type { Settings } from '../prepare/settings.ts'
import { run, type Outcome } from '../run.ts'

const runWith = async (
  text: string,
  config: Readonly<Record<string, unknown>>,
  settings: Partial<Settings> = {},
): Promise<Outcome> => {
  const project = await tinyProject({ methods: ['bm25'], ...config })
  await writeFile(join(project, 'mine.ts'), `import { defineTask, z } from 'gembench'\n${text}`)
  return run(await tinyPlan(project), tinySettings(project, settings))
}

/** A call would end a run with another error. */
const withoutCalls = () => ({ usageLimiter: limitUsage({ calls: 0 }) })

const common = `name: 'mine', summary: '', options: z.strictObject({})`
const scorer = (fields: string): string => `export const mine = { ${common}, version: 1, source: '', ${fields} }`
const method = (fields: string): string => `export const mine = { ${common}, ${fields} }`
const dataset = (fields: string): string =>
  `export const mine = { ${common}, source: '', licence: '', evidence: false, ${fields} }`
const asking = (reference: string): string =>
  dataset(`files: async () => [import.meta.filename], async *corpora() {
    yield { id: 'c', documents: [{ id: 'd', text: 'Words.' }], questions: [{ id: 'q', text: 'Who?', reference: ${reference} }] }
  }`)
const sing = `const sing = defineTask({ name: 'sing', version: 1, reply: 'text', output: z.string(), prompt: () => ({ messages: [] }) })\n`
const singing = `index: async () => ({ retrieve: async (query, budget, models) => { await models.run(sing, {}); return [] } })`
const columns = `columns: [{ metric: 'f1' }]`

test.each([
  [
    'an answer that is not a list',
    asking(`{ kind: 'answer', accepted: 'Ada' }`),
    { dataset: { use: './mine.ts' } },
    'corpus "c": "questions[0].reference.accepted" must not be "Ada": give a list of { text } for an answer',
  ],
  [
    'a correct option that is not an index',
    asking(`{ kind: 'choice', options: ['a'], correct: 1.5 }`),
    { dataset: { use: './mine.ts' } },
    '"questions[0].reference.correct" must not be 1.5: give the index of the right option',
  ],
  [
    'a dataset that throws',
    dataset(`files: async () => { throw new Error('no disk') }, corpora: async function* () {}`),
    { dataset: { use: './mine.ts' } },
    'dataset "mine": files() failed: no disk (mine.ts:2:',
  ],
  [
    'a method with a task that no offline model supports',
    `${sing}${method(`tasks: [sing], ${singing}`)}`,
    { methods: [{ use: './mine.ts' }] },
    'the method "mine" cannot be run: the model "extractive" cannot do the task "sing": name another model, or give the task an "offline" stand-in',
  ],
  [
    'a scorer with such a task',
    `${sing}${scorer(`kinds: ['answer'], judge: true, tasks: [sing], ${columns}, score: async () => ({})`)}`,
    { scorers: [{ use: './mine.ts' }] },
    'the scorer "mine" cannot be run: the model "extractive" cannot do the task "sing"',
  ],
])('%s is refused in one line before anything is asked', async (_name, text, config, message) => {
  const error: unknown = await runWith(text, config, withoutCalls()).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UserError)
  expect((error as UserError).message).toContain(message)
  expect((error as UserError).message).not.toContain('\n')
})

test.each([
  [
    'an undeclared task',
    `${sing}${method(singing)}`,
    'the model "extractive" cannot do the task "sing": name another model, or give the task an "offline" stand-in',
  ],
  [
    'a stand-in that throws',
    `${sing.replace('prompt:', 'offline: () => { throw new Error("hoarse") }, prompt:')}${method(singing)}`,
    'sing: its offline stand-in failed: hoarse (mine.ts:2:',
  ],
])('%s is a counted failure', async (_name, text, said) => {
  const outcome = await runWith(text, { methods: [{ use: './mine.ts' }, 'bm25'] })
  expect(outcome.trials).toMatchObject({ made: 6, failed: 3 })
  const trials = (await readResults(outcome.folder)).trials.filter((line) => line.method === 'mine')
  expect(trials).toHaveLength(3)
  for (const { failure } of trials) expect(failure?.message).toContain(said)
})

const promptMethod =
  "offline: ({ name }) => `la ${name}`, prompt: ({ name }) => ({ messages: [{ role: 'user', content: name }] })"

test('the offline stand-in replies where no model can, and the tables say that no model replied', async () => {
  const offline = sing.replace('prompt: () => ({ messages: [] })', promptMethod)
  const index = `index: async (chunks) => ({ retrieve: async ({ id }, budget, models) =>
    [{ text: await models.run(sing, { name: id }), score: 1, from: [chunks[0].id], kind: 'facts' }] })`
  const outcome = await runWith(`${offline}${method(`tasks: [sing], ${index}`)}`, { methods: [{ use: './mine.ts' }] })
  expect(outcome.trials).toMatchObject({ made: 3, failed: 0 })
  const { trials } = await readResults(outcome.folder)
  expect(trials.map(({ context }) => context[0]?.text)).toEqual(['la builder', 'la oven', 'la price'])
  expect(outcome.manifest.offline).toEqual(['extractive', 'fake'])
})
