import { expect, test } from 'vitest'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { sha256 } from '../../text/hash.ts'
import { datasetChecksum, fileChecksum } from './checksum.ts'

const fileWith = (name: string, content: string): string => fileOf(content, name)

test('the digest of a file depends on its bytes only', async () => {
  // FIPS 180-2, appendix B.1
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await fileChecksum(fileWith('abc', 'abc'))).toBe(digest)
  expect(await datasetChecksum([fileWith('other', 'abc')])).toBe(digest)
})

test('the digest of several files is that of their digests in order', async () => {
  const [a, b, ab] = [fileWith('a', 'a'), fileWith('b', 'b'), fileWith('ab', 'ab')]
  expect(await datasetChecksum([a, b])).toBe(sha256(`${sha256('a')}\n${sha256('b')}\n`))
  const empty = fileWith('empty', '')
  const all = await Promise.all([[a, b], [b, a], [ab, empty], [empty, ab], [ab]].map(datasetChecksum))
  expect(new Set(all).size).toBe(5)
})
