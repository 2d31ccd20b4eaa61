import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rememberPlace } from '../../basics/files.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { missingPath } from './official-file.ts'

const folder = folderOf({ 'notes/a.txt': '', 'questions.csv': '' })

test.each([
  ['note', 'note: no such file or folder; did you mean "notes"?'],
  ['note/', 'note/: no such file or folder; did you mean "notes"?'],
  ['elsewhere', 'elsewhere: no such file or folder; correct this path'],
  ['none/of/these', 'none/of/these: no such file or folder; correct this path'],
])('%s: reports a missing argument with the nearest name', async (name, said) => {
  const { message } = await missingPath(join(folder, name))
  expect(message.replaceAll(`${folder}/`, '')).toBe(said)
})

test.each([
  ['question.csv', './question.csv', 'a.yaml:2:3: no such file "./question.csv"; did you mean "./questions.csv"?'],
  ['elsewhere', '../elsewhere', 'a.yaml:2:3: no such file "../elsewhere"; name it'],
  ['hushed', '${HUSHED}', 'a.yaml:2:3: no such file "${HUSHED}"; name it'],
])('%s: reports a missing path of a config with its place, as written', async (name, writtenPath, message) => {
  rememberPlace(join(folder, name), { at: 'a.yaml:2:3', text: writtenPath })
  const error = await missingPath(join(folder, name), { kind: 'file', remedy: 'name it' })
  expect(error.message).toBe(message)
})
