import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gembench } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

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
  /** The corpora that were read, and the corpus of the reply. */
  const readFor = async (question: string, ...flags: readonly string[]): Promise<readonly unknown[]> => {
    await writeFile(at('read'), '')
    const { out } = await gembench(project, 'query', question, '-c', 'tiny.yaml', '-m', 'bm25', '--json', ...flags)
    const { corpus } = JSON.parse(out) as { readonly corpus: string }
    return [(await readFile(at('read'), 'utf8')).replace('one two three ', ''), corpus]
  }
  expect(await readFor('of-two')).toEqual(['one two ', 'two'])
  expect((await readFor('which mill?'))[0]).toBe('one two three ')
  expect(await readFor('which mill?', '--corpus', 'two')).toEqual(['one two ', 'two'])
})
