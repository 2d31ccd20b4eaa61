import { expect, test } from 'vitest'
import { program } from './program.ts'

/** The arguments and the configs that a command understands, without what it does. */
async function parseWords(...words: readonly string[]): Promise<{ args: readonly string[]; config: unknown }> {
  const gembench = await program('0.0.0', words)
  const command = gembench.commands.find((item) => item.name() === words[0])
  if (!command) throw new Error('no such command')
  command.action(() => undefined)
  await gembench.parseAsync(words, { from: 'user' })
  return { args: command.args, config: command.opts()['config'] }
}

test.each([
  [['query', '-m', 'bm25', '-c', 'a.yaml', 'Who built it?'], 'Who built it?', ['a.yaml']],
  [
    ['query', '-c', 'a.yaml', '--config', 'b.yaml', 'Who built it?', '-m', 'bm25'],
    'Who built it?',
    ['a.yaml', 'b.yaml'],
  ],
  [['query', 'Who built it?', '-m', 'bm25'], 'Who built it?', undefined],
  [['score', '-c', 'a.yaml', 'tiny-1a2b3c4d'], 'tiny-1a2b3c4d', ['a.yaml']],
  [['score', 'tiny-1a2b3c4d', '-c', 'a.yaml', '-c', 'b.yaml'], 'tiny-1a2b3c4d', ['a.yaml', 'b.yaml']],
])('takes the word after a config as the argument: %j', async (words, argument, config) => {
  expect(await parseWords(...words)).toEqual({ args: [argument], config })
})

test.each([
  [['run', '-c', 'a.yaml', 'b.yaml', '--quiet']],
  [['run', '-c', 'a.yaml', '-c', 'b.yaml']],
  [['validate', '-c', 'a.yaml', 'b.yaml']],
])('takes several configs in both forms: %j', async (words) => {
  expect(await parseWords(...words)).toEqual({ args: [], config: ['a.yaml', 'b.yaml'] })
})
