import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../text/hash.ts'
import { datasetChecksum, fileChecksum } from './checksum.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-checksum-'))

function writeInput(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test('the digest of a file depends on its bytes only', async () => {
  // FIPS 180-2, appendix B.1
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await fileChecksum(writeInput('abc', 'abc'))).toBe(digest)
  expect(await datasetChecksum([writeInput('other', 'abc')])).toBe(digest)
})

test('the digest of several files is that of their digests in order', async () => {
  const [a, b, ab] = [writeInput('a', 'a'), writeInput('b', 'b'), writeInput('ab', 'ab')]
  expect(await datasetChecksum([a, b])).toBe(sha256(`${sha256('a')}\n${sha256('b')}\n`))
  const empty = writeInput('empty', '')
  const all = await Promise.all([[a, b], [b, a], [ab, empty], [empty, ab], [ab]].map(datasetChecksum))
  expect(new Set(all).size).toBe(5)
})
