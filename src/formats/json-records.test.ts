import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { jsonRecords, splitter, quoteNumbers } from './json-records.ts'

const read = (content: string | Uint8Array) => gather(jsonRecords(fileOf(content)))

describe('all layouts give the same records', () => {
  const a = { id: 'ä', text: 'one {"two"} [three], \\ "four"\n\u2028' }
  const b = { id: 'b', list: [{ c: [] }, '}'], none: null }
  const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
  test.each([
    ['one a line', `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`, [1, 2]],
    ['no newline at the end', `${JSON.stringify(a)}\n${JSON.stringify(b)}`, [1, 2]],
    ['blank lines between', `\n${JSON.stringify(a)}\n\n \n${JSON.stringify(b)}\n\n`, [2, 5]],
    ['Windows lines', `${JSON.stringify(a)}\r\n${JSON.stringify(b)}\r\n`, [1, 2]],
    ['a byte order mark', `\uFEFF${JSON.stringify(a)}\n${JSON.stringify(b)}`, [1, 2]],
    ['an array', JSON.stringify([a, b]), [1, 1]],
    ['a pretty array', pretty([a, b]), [2, 6]],
    ['pretty objects one after another', `${pretty(a)}\n${pretty(b)}\n`, [1, 5]],
    ['nothing between', JSON.stringify(a) + JSON.stringify(b), [1, 1]],
    ['ASCII escapes', `{"id":"\\u00e4","text":${JSON.stringify(a.text)}}\n${JSON.stringify(b)}`, [1, 2]],
  ])('%s', async (_, content, lines) => {
    const expected = [a, b].map((value, index) => ({ line: lines[index], number: index + 1, value }))
    expect(await read(content)).toEqual(expected)
    expect(await read(gzipSync(content))).toEqual(expected)
  })

  test('for any split into pieces', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 })
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 7 }), fc.boolean(), (values, size, array) => {
        const text = array ? JSON.stringify(values, null, 1) : values.map((value) => JSON.stringify(value)).join('\n')
        const records = splitter('file')
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        const found = pieces.flatMap((piece) => [...records.feed(piece)]).map((raw) => JSON.parse(raw.text) as unknown)
        expect(found).toEqual(JSON.parse(JSON.stringify(values)))
        expect(records.end()).toBeUndefined()
      }),
    )
  })
})

describe('numbers as text', () => {
  const asText = (content: string) => gather(jsonRecords(fileOf(content), undefined, 'text'))

  test('keep every digit, and nothing else changes', async () => {
    const content = '{"a": [-1.10,1e+3 , 1234567890123456789], "b 1": "2 \\" 3", "c": {"d": 0}, "e": [true, null]}'
    expect(await asText(content)).toMatchObject([
      {
        line: 1,
        value: {
          a: ['-1.10', '1e+3', '1234567890123456789'],
          'b 1': '2 " 3',
          c: { d: '0' },
          e: [true, null],
        },
      },
    ])
  })

  test('any JSON', () => {
    const asTexts = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
        typeof inner === 'number' ? JSON.stringify(inner) : inner,
      )
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(JSON.parse(quoteNumbers(JSON.stringify(value, null, indent)))).toEqual(asTexts(value))
      }),
    )
  })

  test.each([
    ['{"id": 007}', ':1:8: malformed JSON at "007}"'],
    ['{"id": 1.}', ':1:8: malformed JSON at "1.}"'],
    ['{"id": -}', ':1:8: malformed JSON at "-}"'],
    ['{"id" 7}', ':1:7: malformed JSON at "7}"'],
  ])('%s is malformed all the same', async (content, message) => {
    await expect(asText(content)).rejects.toThrow(message)
  })
})

describe('malformed input is reported with its place', () => {
  test.each([
    ['a bad value', '{"a":1}\n{"a": oops}\n', ':2:7: malformed JSON at "oops}"'],
    ['in a pretty object', '{"a":1}\n{\n  "b": 1,\n}\n', ':4:1: malformed JSON at "}"'],
    ['after an indent', '[\n  {"a":1},\n  {"a"=1}\n]', ':3:7: malformed JSON at "=1}"'],
    ['a cut file', '{"a":1}\n{"a":{"b":2}', ':2:13: malformed JSON (unexpected end)'],
    ['a last line cut short', '{"a":1}\n{"a":2\n\n', ':2:7: malformed JSON (unexpected end)'],
    ['a line cut short', '{"a":[1\n{"a":2}\n', ':2:1: malformed JSON at "{\\"a\\":2}"'],
    ['a bare word', '{"a":1}\nhello', ':2:1: "h" found where a JSON object should begin'],
    ['a list of numbers', '[1]', ':1:2: "1" found where a JSON object should begin'],
    ['text after an array', '[{"a":1}]\n{"b":2}', ':2:1: "{" found where a JSON object should begin'],
    ['an open array', '[{"a":1}', ':1:8: the array is not closed'],
    ['nothing', '', ': contains no JSON object'],
    ['white space', '\uFEFF\n \n', ': contains no JSON object'],
    ['an empty array', '[]', ': contains no JSON object'],
  ])('%s', async (_, content, message) => {
    const file = fileOf(content)
    await expect(gather(jsonRecords(file))).rejects.toThrow(file + message)
  })

  test('bytes that are not UTF-8', async () => {
    await expect(read(Uint8Array.of(0x7b, 0x22, 0xe4, 0x22))).rejects.toThrow(
      /file\.jsonl: cannot be read as UTF-8 text/,
    )
  })

  test('a damaged gzip', async () => {
    await expect(read(gzipSync('{"a":1}').subarray(0, 12))).rejects.toThrow(
      /cannot be read as UTF-8 text \(unexpected end of file\)/,
    )
  })
})

test('yields the records before a malformed one', async () => {
  const records = jsonRecords(fileOf('{"a":1}\n{"a":'))
  expect((await records.next()).value).toMatchObject({ line: 1, value: { a: 1 } })
  await expect(records.next()).rejects.toThrow(/:2:6: malformed JSON \(unexpected end\)/)
})
