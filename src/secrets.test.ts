import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growth } from './test-support/growth.ts'
import { knowSecret, scrub, scrubError } from './errors.ts'

const key = 'sk-V3ry+Secret/Key=_"1'
knowSecret(`Bearer ${key}`)
knowSecret(`Basic ${Buffer.from('ann:pass-word-77').toString('base64')}`)
knowSecret('gpu-box-17', '${HOST}')
knowSecret('dev', '${SPLIT}')
knowSecret('validation', '${SPLIT}')

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)
const units = (text: string): string =>
  Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

describe('masks a key', () => {
  test.each([
    ['written plainly', key],
    ['with its scheme', `Bearer ${key}`],
    ['URL-encoded', encodeURIComponent(key)],
    ['URL-encoded in small letters', encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase())],
    ['as a form field', new URLSearchParams({ a: `Bearer ${key}` }).toString().slice(2)],
    ['in JSON', escaped(key)],
    ['in JSON in JSON', escaped(escaped(key))],
    ['in JSON with escaped slashes', escaped(key).replaceAll('/', '\\/')],
    ['in JSON as code units', units(key)],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 for addresses', Buffer.from(key).toString('base64url')],
    ['the password of Basic', 'pass-word-77'],
    ['the user and password of Basic', 'ann:pass-word-77'],
  ])('%s', (_what, form) => {
    expect(scrub(`<${form}>`)).toMatch(/^<[^<>]{3,8}>$/)
    expect(scrub(`<${form}>`)).not.toContain('V3ry')
  })

  test('at any base64 offset', () => {
    const inside = Buffer.from(key).toString('base64').slice(4, -4)
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = Buffer.from(`${before}${key}xyz`).toString('base64')
      expect(scrub(text)).toContain('***')
      expect(scrub(text).length).toBeLessThan(16)
      expect(scrub(text)).not.toContain(inside)
    }
  })
})

test('masks an environment variable by its name', () => {
  expect(scrub('connect to gpu-box-17:8000')).toBe('connect to ${HOST}:8000')
})

test('keeps an ordinary word in replies but not in errors, and values below four characters', () => {
  expect(scrub('the validation set, dev')).toBe('the validation set, dev')
  expect(scrubError('the validation set, dev')).toBe('the ${SPLIT} set, dev')
})

test('leaves text without a secret unchanged', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('gpu-box'))
      expect(scrub(text)).toBe(text)
    }),
  )
})

test('takes linear time on a long run of backslashes', () => {
  const [once, fourfold] = [100_000, 400_000].map((length) => () => void scrub('\\'.repeat(length)))
  expect(growth(once!, fourfold!).isSuperlinear).toBe(false)
})
