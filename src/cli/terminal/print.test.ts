import { describe, expect, test } from 'vitest'
import { ModelError, UserError, knowSecret } from '../../errors.ts'
import { exitCodes } from '../ending.ts'
import { fail } from '../main.ts'
import { print, printJson, printNotice } from './print.ts'
import { captureOutput } from '../../test-support/capture-output.ts'

const printed = captureOutput()

const hostile = '\u001b[2J\u001b]0;title\u0007\u009b31m\u001bPq\r\u202egpj.exe\b'
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/

describe('text on a terminal', () => {
  test.each([
    ['results', () => print(hostile)],
    ['notices', () => printNotice(hostile)],
    ['a mistake', () => fail(new UserError(hostile))],
    ['a reply that could not be read', () => fail(new ModelError('reply', hostile, { raw: hostile }))],
    ['anything thrown', () => fail(new Error(hostile))],
  ])('is escaped in %s', (_what, say) => {
    say()
    expect(printed.out + printed.err).toContain('title')
    expect(printed.out + printed.err).not.toMatch(obeyed)
  })

  test('is escaped in JSON', () => {
    printJson({ hostile })
    expect(printed.out).not.toMatch(obeyed)
    expect(JSON.parse(printed.out)).toEqual({ hostile })
  })
})

test('keeps line breaks, tabs and our colours', () => {
  print('\u001b[1mname\u001b[22m\tscore\nbm25')
  expect(printed.out).toBe('\u001b[1mname\u001b[22m\tscore\nbm25\n')
})

test('contains no keys', () => {
  knowSecret('sk-Printed-4711')
  print('sk-Printed-4711')
  printNotice('sk-Printed-4711')
  fail(new ModelError('reply', 'sk-Printed-4711', { raw: 'sk-Printed-4711' }))
  fail(new Error('sk-Printed-4711'))
  expect(printed.out + printed.err).not.toContain('4711')
})

test('reports an unreadable or unwritable file in one line with exit code 2', () => {
  const error = Object.assign(new Error("EROFS: read-only file system, open '/x/manifest.json'"), { syscall: 'open' })
  expect(fail(error)).toBe(exitCodes.usage)
  expect(printed.err).toMatch(/^[^\n]*EROFS: read-only file system, open '\/x\/manifest.json'\n$/)
})
