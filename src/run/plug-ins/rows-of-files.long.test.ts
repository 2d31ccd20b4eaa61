import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gembenchProcess } from '../../test-support/cli.ts'
import { ran } from '../../test-support/run-cli.ts'

const ownFiles = `import { defineMethod, z } from 'gembench'
export const mine = defineMethod({
  name: 'mine', summary: 'The first chunks.', options: z.strictObject({ count: z.number().default(2) }),
  async index(chunks, models, { count }) {
    await models.embed(['index of ' + count])
    await models.rerank('index', ['of ' + count])
    return {
      retrieve: async () => chunks.slice(0, count).map(({ id, text }) => ({ text, score: 1, from: [id], kind: 'chunk' })),
    }
  },
})
`

/** The same as a program. */
const program = `import { createInterface } from 'node:readline'
let chunks
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, index } = JSON.parse(line)
  if (index) ({ chunks } = index)
  console.log(JSON.stringify(index ? { id } : { id, passages: chunks.slice(-2).map(({ id }) => ({ chunk: id })) }))
})
`

const files = { 'mine.mjs': ownFiles, 'last.mjs': program }
const last = { use: 'command', run: ['node', 'last.mjs'] }

test('a hybrid searches with plug-in files that call models, and with programs, and its run replays', async () => {
  const two = {
    use: 'hybrid',
    label: 'two',
    of: [{ use: './mine.mjs', count: 1 }, { use: './mine.mjs', count: 2 }, last],
  }
  const models = { complete: 'extractive', embed: 'fake', rerank: 'fake' }
  const { trials, project, code, err } = await ran(files, { models, methods: [two, './mine.mjs'] })
  expect(code, err).toBe(0)
  const [first] = trials.filter(({ method }) => method === 'two')
  expect(Object.keys(first?.context[0]?.why ?? {})).toEqual(expect.arrayContaining(['rank in mine', 'rank in mine 2']))
  const [folder = ''] = await readdir(join(project, 'results'))
  const verify = (...flags: readonly string[]) =>
    gembenchProcess(project, 'verify', join('results', folder), '--cache-folder', 'cache', ...flags)
  expect((await verify()).out).toContain('the config names its dataset by a path; --trust')
  expect((await verify('--trust')).out).toMatch(/retrieval: 6 of 6 trials unchanged/)
})
