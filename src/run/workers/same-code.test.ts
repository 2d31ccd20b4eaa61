import { expect, test } from 'vitest'
import { codeIdentity } from './run-record.ts'

test('the code of a process is named by its version, that of Node, and a digest of files and dependencies', () => {
  expect(codeIdentity()).toBe(codeIdentity())
  expect(codeIdentity()).toMatch(
    /^gembench \d+\.\d+\.\d+ on Node \d+\.\d+\.\d+ \(code and dependencies [0-9a-f]{12}\)$/,
  )
})
