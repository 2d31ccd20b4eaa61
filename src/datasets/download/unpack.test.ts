import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { tarEntries, unpack, safeName, zipEntries } from './unpack.ts'

/** A tar archive written by hand: ustar headers with their checksum, contents in whole blocks, two empty blocks. */
function tar(files: readonly { name: string; content: string; kind?: string; prefix?: string }[]): Buffer {
  const blocks = files.flatMap(({ name, content, kind = '0', prefix = '' }) => {
    const header = Buffer.alloc(512)
    const data = Buffer.from(content)
    header.write(name, 0)
    header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(kind, 156)
    header.write('ustar\x0000', 257)
    header.write(prefix, 345)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const names = async (archive: Uint8Array): Promise<(readonly [string, string])[]> =>
  (await tarEntries(archive)).map(({ name, data }) => [name, Buffer.from(data()).toString()])

test.each(['1', '2', '3', '6'])('rejects a tar entry of kind %s', async (kind) => {
  await expect(names(tar([{ name: 'l', kind, content: '' }]))).rejects.toThrow('"l" is a link or a device')
})

describe('zip directories', () => {
  const bytes = (): Buffer => Buffer.from(zipSync({ 'one.json': strToU8('1'.repeat(100)) }))
  const directory = (archive: Buffer): number => archive.indexOf('PK\x01\x02')
  const contents = (archive: Buffer): string[] =>
    zipEntries(archive).map((entry) => Buffer.from(entry.data()).toString())

  test.each<[string, (archive: Buffer, at: number) => void, RegExp]>([
    ['a wrong checksum', (archive, at) => archive.writeUInt32LE(1, at + 16), /size and checksum/],
    ['a size beyond what its bytes can hold', (archive, at) => archive.writeUInt32LE(2e9, at + 24), /impossible size/],
    ['a size that is too small', (archive, at) => archive.writeUInt32LE(1, at + 24), /larger than|size and checksum/i],
    ['packed bytes beyond the end', (archive, at) => archive.writeUInt32LE(1e6, at + 20), /impossible size/],
    ['a link', (archive, at) => archive.writeUInt32LE(0o120777 * 65536, at + 38), /"one\.json" is a link/],
    ['a header elsewhere', (archive, at) => archive.writeUInt32LE(7, at + 42), /invalid LOC header/i],
    ['encryption', (archive, at) => archive.writeUInt16LE(1, at + 8), /encrypted/],
    ['no directory', (archive, at) => archive.write('XX', at), /invalid CEN header/i],
  ])('%s', (_, spoil, message) => {
    const archive = bytes()
    expect(contents(archive)).toHaveLength(1)
    spoil(archive, directory(archive))
    expect(() => contents(archive)).toThrow(message)
  })
})

describe.each(['zip', 'tgz'] as const)('%s', (format) => {
  const fit = (files: Readonly<Record<string, string>>): Uint8Array =>
    format === 'zip'
      ? zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])))
      : gzipSync(tar(Object.entries(files).map(([name, content]) => ({ name, content }))))

  function writeArchive(bytes: Uint8Array): { folder: string; archive: string } {
    const archive = fileOf(bytes, 'archive')
    return { folder: dirname(archive), archive }
  }

  test('unpacks only the requested members, from any folder', async () => {
    const { folder, archive } = writeArchive(fit({ 'data/one.json': '1', 'two.json': '2', 'three.json': '3' }))
    const paths = await unpack(archive, format, ['one.json', 'two.json'], folder)
    expect(paths).toEqual([join(folder, 'one.json'), join(folder, 'two.json')])
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['1', '2'])
    expect(readdirSync(folder).sort()).toEqual(['archive', 'one.json', 'two.json'])
    expect(await unpack(archive, format, ['one.json', 'two.json'], folder)).toEqual(paths)
  })

  test.each(['../../../outside.json', 'a/../../outside.json', '/etc/outside.json', 'C:\\outside.json'])(
    'keeps a member inside the folder: %s',
    async (name) => {
      const { folder, archive } = writeArchive(fit({ [name]: '1' }))
      const refusal = unpack(archive, format, ['outside.json'], folder)
      await expect(refusal).rejects.toThrow(/would be outside the folder.*; remove it and download it again$/)
      expect(readdirSync(folder)).toEqual(['archive'])
    },
  )

  test('rejects two members of one name', async () => {
    const { folder, archive } = writeArchive(fit({ 'a/one.json': '1', 'b/one.json': '2' }))
    await expect(unpack(archive, format, ['one.json'], folder)).rejects.toThrow(/two members are named one\.json/)
    expect(readdirSync(folder)).toEqual(['archive'])
  })

  test('does not overwrite another file of that name', async () => {
    const { folder, archive } = writeArchive(fit({ 'one.json': '1' }))
    writeFileSync(join(folder, 'one.json'), 'mine')
    await expect(unpack(archive, format, ['one.json'], folder)).rejects.toThrow(/one\.json: exists already and differs/)
    expect(readFileSync(join(folder, 'one.json'), 'utf8')).toBe('mine')
  })

  test('names a missing member and a damaged archive', async () => {
    const { folder, archive } = writeArchive(fit({ 'one.json': '1' }))
    await expect(unpack(archive, format, ['two.json'], folder)).rejects.toThrow(/archive: does not contain two\.json/)
    const page = writeArchive(strToU8('<html>not what you asked for</html>'))
    await expect(unpack(page.archive, format, ['one.json'], page.folder)).rejects.toThrow(
      `cannot be unpacked as ${format}`,
    )
  })
})

test.each([
  ['data.zip', 'data.zip'],
  ['../../../data.zip', 'data.zip'],
  ['..\\..\\data.zip', 'data.zip'],
  ['/etc/data.zip', 'data.zip'],
  ['a b?c.json', 'a_b_c.json'],
  ['.hidden', 'hidden'],
  ['..', 'file'],
  ['folder/', 'file'],
  ['QuALITY.v1.0.1.htmlstripped.dev', 'QuALITY.v1.0.1.htmlstripped.dev'],
])('the name %j becomes %j', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})
