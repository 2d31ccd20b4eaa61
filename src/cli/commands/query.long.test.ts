import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { captureOutput } from '../../test-support/captured.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { parse } from '../program.ts'

const output = captureOutput()

test('reads corpora once, and only up to that of the question', async () => {
  const project = await tinyProject({ methods: ['bm25'] })
  const at = (name: string): string => join(project, name)
  const corpora = ['one', 'two', 'three'].map((id) => ({
    id,
    documents: [{ id: `${id}.md`, text: `The mill of ${id}.` }],
    questions: [{ id: `of-${id}`, text: 'Which mill?', reference: { kind: 'answer', accepted: [{ text: id }] } }],
  }))
  await writeFile(
    at('counted.js'),
    `import { appendFileSync } from 'node:fs'
    import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
    const corpora = ${JSON.stringify(corpora)}
    export default { name: 'counted', summary: 's', source: 'x', licence: 'y', options: z.strictObject({}), evidence: 'some', answers: 'short',
      files: async (path) => [path],
      corpora: async function* () { for (const one of corpora) { appendFileSync(${JSON.stringify(at('read'))}, one.id + ' '); yield one } } }`,
  )
  const config = { name: 'counted', dataset: { use: './counted.js', path: './counted.js' }, methods: ['bm25'] }
  await writeFile(at('tiny.yaml'), JSON.stringify({ ...config, models: { embed: 'fake' } }))
  const readFor = async (...args: [string, ...string[]]): Promise<string> => {
    await writeFile(at('read'), '')
    const asked = ['query', args[0], '-c', at('tiny.yaml'), '-m', 'bm25', '--json', ...args.slice(1)]
    await parse('0.0.0', [...asked, '--cache-folder', at('cache')])
    return (await readFile(at('read'), 'utf8')).replace('one two three ', '')
  }
  expect(await readFor('of-two')).toBe('one two ')
  expect(await readFor('which mill?')).toBe('one two three ')
  output.out = ''
  expect(await readFor('which mill?', '--corpus', 'two')).toBe('one two ')
  expect(JSON.parse(output.out)).toMatchObject({ corpus: 'two' })
})
