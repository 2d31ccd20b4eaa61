import { describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { importOpenIe, openIe } from './open-ie.ts'
describe('openIe', () => {
  test('makes two calls per passage and passes the names to the second', async () => {
    const models = fakeModels({
      replies: {
        'name-entities': ({ passage }: { passage: string }) => ({ named_entities: [passage.toUpperCase()] }),
        'extract-triples': ({ passage }: { passage: string }) => ({
          triples: ['x', 'x', 'X'].map((object) => [passage, 'is', object]),
        }),
      },
    })
    const { triples, ...losses } = await openIe(['a', 'b'], models, groundingOf('count'))
    expect(triples).toEqual(['a', 'b'].map((name) => ['x', 'X'].map((object) => [name, 'is', object])))
    expect(losses).toEqual({ failures: 0, malformedCount: 0, missing: 0 })
    expect(models.calls).toEqual([
      { task: 'name-entities', input: { passage: 'a' } },
      { task: 'name-entities', input: { passage: 'b' } },
      { task: 'extract-triples', input: { passage: 'a', entities: ['A'] } },
      { task: 'extract-triples', input: { passage: 'b', entities: ['B'] } },
    ])
  })

  test('reads numbers and booleans as words, and counts malformed triples', async () => {
    const triples = [['mill', 'built in', 1890], ['mill', 'is'], 'mill', ['mill', 'is', true], [1, 2, 3, 4]]
    const replies = { 'name-entities': () => ({ named_entities: [1890] }), 'extract-triples': () => ({ triples }) }
    const models = fakeModels({ replies })
    const found = await openIe(['a'], models, groundingOf('count'))
    expect(found.triples).toEqual([[['mill', 'built in', '1890'], ['mill', 'is', 'true']]]) // prettier-ignore
    expect(found.malformedCount).toBe(3)
    expect(models.calls[1]?.input).toEqual({ passage: 'a', entities: ['1890'] })
  })
})

describe('importOpenIe', () => {
  const imported = (path: string, passages: readonly string[]) => importOpenIe(path, passages, groundingOf('count'))
  const published = `{"docs": [
    {"title": "A", "passage": "A\\nNaN is \\"NaN\\", not null", "extracted_entities": [], "extracted_triples":
      [["a", "is", "NaN"], ["a", "is"], ["a", "is", "b", "c"], "a is b", null, [1, "is", true], ["a", "is", "NaN"], ["a", null, "b"]]},
    {"passage": "B", "extracted_triples": []}
  ], "avg_ent_chars": NaN, "avg": [-Infinity, NaN]}`

  test('imports triples by passage text; drops and counts malformed and repeated ones', async () => {
    const found = await imported(fileOf(published), ['B', 'C', 'A\nNaN is "NaN", not null'])
    expect(found).toEqual({
      triples: [
        [],
        [],
        [
          ['a', 'is', 'NaN'],
          ['1', 'is', 'true'],
        ],
      ],
      failures: 0,
      malformedCount: 5,
      missing: 1,
    })
  })

  test('rejects a file without any of the passages, and accepts no passages', async () => {
    const path = fileOf(published)
    await expect(imported(path, ['C', 'D'])).rejects.toThrow(/contains none of the 2 passages.*chunks\.by to none/)
    expect((await imported(path, [])).triples).toEqual([])
  })

  test.each([
    ['{"docs": [', 'JSON'],
    ['{"docs": [{"passage": 3, "extracted_triples": []}]}', 'docs[0].passage'],
    ['[]', 'object'],
    ['', 'JSON'],
  ])('rejects %j with its path and the reason', async (text, reason) => {
    const path = fileOf(text)
    const refusal = imported(path, ['B'])
    await expect(refusal).rejects.toThrow(UserError)
    await expect(refusal).rejects.toThrow(path)
    await expect(refusal).rejects.toThrow(reason)
  })

  test('names a missing file', async () => {
    await expect(imported('no/such.json', ['B'])).rejects.toThrow(/no\/such\.json: cannot be read as OpenIE results/)
  })
})
