import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gembench, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

/** A folder with notes, questions and a config for them. */
function ownData(dataset = '{ documents: ./notes, questions: ./questions.csv }'): string {
  return folderOf({
    'notes/clocks.txt': 'The clock was built by Tamsin Vale.',
    'questions.csv': 'question,answer\nWho built it?,Vale\nWhy?,So\nWho built it?,Vale\n',
    'gembench.yaml': `name: a\ndataset: ${dataset}\nmethods: [bm25]\nmodels: { embed: fake }\n`,
  })
}

test.each([
  ['{ documents: ./note }', [], 'gembench.yaml:2:23: no such file or folder "./note"; did you mean "./notes"?'],
  [
    '{ documents: ./notes, questions: ./question.csv }',
    [],
    'gembench.yaml:2:43: no such file "./question.csv"; did you mean "./questions.csv"?',
  ],
  [
    '{ documents: ./notes }',
    ['--set', 'dataset.documents=noted'],
    '--set dataset.documents: no such file or folder "noted"; did you mean "notes"?',
  ],
])('names the place of a misspelt path and the nearest name: %s %j', async (dataset, set, message) => {
  await expectRefusal(gembench(ownData(dataset), 'validate', ...set), `config: gembench.yaml\nerror ${message}\n`)
})

test('does not mention a config in an error about an argument', async () => {
  const check = gembench(ownData(), 'check', 'nosuch', '--use', 'files')
  expect((await check).err).toBe('error nosuch: no such file or folder; correct this path\n')
})

test('validate and run print a note about a duplicate question', async () => {
  const here = ownData()
  const note = 'note: 1 question occurs more than once in questions.csv (lines 2, 4)'
  for (const command of ['validate', 'run']) {
    const result = await gembench(here, command)
    expect(result.code).toBe(0)
    expect(result.err.split('\n').filter((line) => line.startsWith(note))).toHaveLength(1)
  }
})

test('query names the document of each passage', async () => {
  const here = ownData()
  for (const question of ['Who built the clock?', '1']) {
    const { out } = await gembench(here, 'query', '-c', 'gembench.yaml', question, '-m', 'bm25')
    expect(out).toMatch(/^1\. clocks\.txt {2}score /m)
  }
})

test('plan prints one line when no call is needed', async () => {
  const here = ownData()
  writeFileSync(join(here, 'questions.csv'), 'question,answer\nWho?,Unanswerable\n')
  const { code, out } = await gembench(here, 'plan', '--set', 'methods=[oracle]')
  expect(code).toBe(0)
  expect(out).toMatch(/^a-\w{8}: 1 trial\n\nNo model call is needed: the config requests no answers, or/)
  expect(out).not.toContain('completion')
})

test('does not overwrite a file that is not a question file', async () => {
  const here = ownData()
  writeFileSync(join(here, 'people.csv'), 'name,age\nAda,36\n')
  const message = 'people.csv: holds questions or other records and is not overwritten; name'
  await expectRefusal(gembench(here, 'questions', '-o', 'people.csv'), message)
})
