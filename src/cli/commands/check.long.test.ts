import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { gembench, gembenchProcess, type CliEnded } from '../../test-support/cli.ts'

const method = (retrieve: string): string => `
  import { defineMethod, z } from 'gembench'
  export const mine = defineMethod({
    name: 'first-chunks',
    summary: 'Takes the first chunks.',
    options: z.strictObject({ most: z.int().default(9) }),
    costs: () => 'unknown',
    async index(chunks, _models, { most }) {
      const all = chunks.slice(0, most).map(({ id, text }, rank) => ({ text, score: 1 / (1 + rank), from: [id], kind: 'chunk' as const }))
      return { retrieve: async (_query, budget) => ${retrieve} }
    },
  })`

test('a file that ends the process, or leaves timers, is checked all the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-check-'))
  const checked = async (name: string, retrieve: string): Promise<CliEnded> => {
    await writeFile(join(folder, name), method(retrieve))
    return gembenchProcess(folder, 'check', name)
  }
  const ended = await checked('ends.ts', 'process.exit(0)')
  expect(ended.code).toBe(2)
  expect(ended.out).toMatch(/the check "[^"]+": the process ended with exit code 0\n/)
  const leaving = await checked('leaves.ts', '{ setInterval(() => 0, 1000); return all.slice(0, budget.passages) }')
  expect(leaving).toMatchObject({ code: 0, err: '' })
})

test('a program is checked as the method command runs it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-check-'))
  const program = fileURLToPath(new URL('../../test-support/program.js', import.meta.url))
  const checked = (mode: string): Promise<CliEnded> =>
    gembench(folder, 'check', program, '--use', 'command', '--set', `run=["node", "${program}", "${mode}"]`)
  expect(await checked('good')).toMatchObject({ code: 0, err: '' })
  // what a thread asks after the reply is met whenever its next call comes
  for (const [mode, where] of [
    ['left-calling', 'index'],
    ['goes-on', '(index|retrieve)'],
  ] as const) {
    const { code, out } = await checked(mode)
    expect({ mode, code }).toEqual({ mode, code: 2 })
    expect(out).toMatch(
      new RegExp(
        `: method "command": (${where}\\(\\) returned while|the models of ${where}\\(\\) were asked after it had returned)`,
      ),
    )
  }
})
