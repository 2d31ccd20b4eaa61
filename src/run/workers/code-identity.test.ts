import { expect, test } from 'vitest'
import { codeIdentity } from './run-record.ts'

test('the code identity has the version, the Node version, and a digest of files and dependencies', () => {
  expect(codeIdentity()).toBe(codeIdentity())
  expect(codeIdentity()).toMatch(
    /^gembench \d+\.\d+\.\d+ on Node \d+\.\d+\.\d+ \(code and dependencies [0-9a-f]{12}\)$/,
  )
})
