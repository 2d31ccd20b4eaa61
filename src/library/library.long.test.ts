import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder of someone else, where this package is installed as it is built, and vitest is not. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gembench-library-'))
  await mkdir(join(folder, 'node_modules', 'gembench'), { recursive: true })
  for (const name of ['package.json', 'dist', 'datasets'])
    await symlink(join(root, name), join(folder, 'node_modules', 'gembench', name))
})

/** This package lies in a folder where vitest is installed: a hook of Node's hides it. */
const hook = `export const resolve = (name, context, next) => {
  if (name === 'vitest') throw Object.assign(new Error('no vitest'), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
}`
const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`
const withoutVitest = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))})`)

/** Runs a program of that folder and gives what it printed as JSON. */
async function runs(source: string): Promise<unknown> {
  const file = join(folder, 'program.mjs')
  await writeFile(file, source)
  return JSON.parse(await printedBy(file)) as unknown
}

const printedBy = (...program: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env
    execFile(process.execPath, ['--import', withoutVitest, ...program], { cwd: folder, env }, (error, out, err) => {
      if (error) reject(new Error(`${err}\n${out}`))
      else resolve(out)
    })
  })

test('a run with a plug-in leaves stack traces of the program unchanged', async () => {
  await writeFile(join(folder, 'quiet.mjs'), mine)
  const source = `import { run } from 'gembench'
    await run({ name: 'x', dataset: { use: 'sample', limit: 1 }, methods: ['./quiet.mjs'], models: { embed: 'fake' } }, { cache: false })
    throw new Error('my own assertion failed')`
  await expect(runs(source)).rejects.toThrow('my own assertion failed')
})

const mine = `
  import { defineMethod, z } from 'gembench'
  import { bm25Index, words } from 'gembench/toolkit'
  export const mine = defineMethod({
    name: 'mine', summary: 'Mine.', options: z.strictObject({}),
    async index(chunks) {
      const index = bm25Index(chunks.map(({ text }) => words(text)))
      return {
        retrieve: async ({ text }, { passages }) => index.search(words(text), passages).map(({ index: row, score }) =>
          ({ text: chunks[row].text, score, from: [chunks[row].id], kind: 'chunk' })),
      }
    },
  })`

test('checks run in a plain program, without a test framework', async () => {
  await writeFile(join(folder, 'mine.mjs'), mine)
  const printed = await runs(`
    import { methodFindings, fakeModels } from 'gembench/testing'
    import { mine } from './mine.mjs'
    const said = [...(await methodFindings(mine, { models: fakeModels }))]
    const greedy = { ...mine, index: async (chunks) => ({ retrieve: async () => chunks.map(({ id, text }) => ({ text, score: 1, from: [id], kind: 'chunk' })) }) }
    said.push(...(await methodFindings(greedy)))
    console.log(JSON.stringify(said))`)
  expect(printed).toEqual([
    expect.stringContaining('method "mine": returned 2 passages for a budget of 1; return fewer (corpus "two chunks"'),
  ])
})

test('testMethod makes a test of node:test where vitest does not run', async () => {
  const source = (name: string): string =>
    `import { testMethod } from 'gembench/testing'; import { mine } from './mine.mjs'; testMethod({ ...mine, name: '${name}' })`
  await writeFile(join(folder, 'valid.mjs'), source('mine'))
  await writeFile(join(folder, 'invalid.mjs'), source('My Method'))
  expect(await printedBy('valid.mjs')).toContain('method mine keeps its contract')
  await expect(printedBy('invalid.mjs')).rejects.toThrow('My Method')
})

test('score runs one scorer on one answer', async () => {
  const printed = await runs(`
    import { score, scorers } from 'gembench'
    const said = (promise) => promise.catch((error) => [error.name, error.message])
    const asked = { question: 'Who built the mill?', answer: 'Tamsin Vale built the mill.', context: ['Tamsin Vale built the mill.', 'It rained.'] }
    console.log(JSON.stringify({
      squad: await score('squad', { question: 'Who?', answer: 'the Tamsin Vale', reference: ['Tamsin Vale', 'she'] }),
      strict: await score('squad', { question: 'Who?', answer: 'Unanswerable', reference: [] }, { options: { version: 2 } }),
      choice: await score(await scorers.load('accuracy'), { question: 'Who?', reference: { kind: 'choice', options: ['a', 'b'], correct: 1 }, answer: { text: 'b', choice: 1 } }),
      faithful: await score('faithfulness', asked, { models: { judge: 'extractive' } }),
      relevant: await score('answer-relevancy', asked, { models: { judge: 'extractive', embed: 'fake' } }).then(({ metrics }) => typeof metrics.answerRelevancy),
      faults: await Promise.all([
        said(score('squda', asked)),
        said(score('squad', asked, { options: { version: 3 } })),
        said(score('accuracy', asked)),
        said(score('faithfulness', asked)),
        said(score('answer-relevancy', asked, { models: { judge: 'extractive' } })),
        said(score('faithfulness', asked, { models: { judge: 'extractve' } })),
      ]),
    }))`)
  expect(printed).toMatchObject({
    squad: { metrics: { exactMatch: 1, f1: 1 } },
    strict: { metrics: { exactMatch: 1, f1: 1 } },
    choice: { metrics: { accuracy: 1 } },
    faithful: { metrics: { faithfulness: 1 } },
    relevant: 'number',
    faults: [
      ['UserError', expect.stringContaining('did you mean "squad"?')],
      ['UserError', expect.stringContaining('squad: options.version')],
      ['UserError', expect.stringContaining("reference: { kind: 'choice'")],
      ['UserError', expect.stringContaining('give models.judge')],
      ['UserError', expect.stringContaining('give models.embed')],
      ['UserError', expect.stringContaining('did you mean "extractive"?')],
    ],
  })
})

test('the one-file example prints the scores of both methods', async () => {
  const file = join(folder, 'own-method.mjs')
  await copyFile(join(root, 'examples', 'own-method.js'), file)
  const printed = await printedBy(file)
  expect(printed).toMatch(/^bm25 0\.\d+$/m)
  expect(printed).toMatch(/^shared-words 0\.\d+$/m)
})

/** Methods of four fields, whose passages are a list that is sorted, cut or made of single chunks. */
const shortMethods = `
  import { defineMethod, z } from 'gembench'
  export const cut = defineMethod({
    name: 'cut', summary: '', options: z.strictObject({ depth: z.int().default(3) }),
    index: async (chunks, models, { depth }) => ({
      async retrieve({ text: asked }, { passages }) {
        const all = chunks.map(({ id, text }) => ({ text, score: text.length - asked.length, from: [id], kind: 'chunk' }))
        return all.sort((a, b) => b.score - a.score).slice(0, Math.min(passages, depth, models.countTokens(asked)))
      },
    }),
  })
  export const single = defineMethod({
    name: 'single', summary: '', options: z.strictObject({}),
    async index([first]) {
      return { retrieve: async () => (first ? [{ text: first.text, score: 1, from: [first.id], kind: 'chunk' }] : []) }
    },
  })`

test('the example and short methods compile as strict TypeScript, and a passage without a text does not', async () => {
  const compile = (name: string, source: string): Promise<string> =>
    writeFile(join(folder, name), source).then(() => printedBy(...compiler, name))
  expect(await compile('own-method.mts', await readFile(join(root, 'examples', 'own-method.js'), 'utf8'))).toBe('')
  expect(await compile('shared-words.mts', await readFile(join(root, 'examples', 'shared-words.js'), 'utf8'))).toBe('')
  expect(await compile('short.mts', shortMethods)).toBe('')
  await expect(compile('wrong.mts', shortMethods.replace('{ text: first.text, ', '{ '))).rejects.toThrow("'text'")
})

const compiler = [
  fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url)),
  ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
]
