import { expect, test } from 'vitest'
import { differenceOf, ownCode } from './run-record.ts'

const ours = ownCode()

test('a worker of other code, of another Node or of another dependency is told apart', () => {
  expect(differenceOf(ours, ownCode())).toBeUndefined()
  expect(ours['code']).toMatch(/^[0-9a-f]{12}$/)
  const { gembench = '', node = '' } = ours
  expect(differenceOf({ ...ours, gembench: '9.9.9' }, ours)).toBe(`it has gembench 9.9.9, and here is ${gembench}`)
  expect(differenceOf({ ...ours, code: '0'.repeat(12) }, ours)).toBe(
    `its gembench ${gembench} is not of the same source files as the one here`,
  )
  expect(differenceOf({ ...ours, node: '22.0.0' }, ours)).toBe(`it has node 22.0.0, and here is ${node}`)
  expect(differenceOf(ours, { ...ours, extra: '1' })).toBe('it has extra (none), and here is 1')
})
