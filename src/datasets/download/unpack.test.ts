import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { safeName } from './safe-name.ts'
import { tarEntries } from './tar.ts'
import { unpack } from './unpack.ts'

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

const names = (archive: Uint8Array): (readonly [string, string])[] =>
  [...tarEntries(archive)].map(({ name, data }) => [name, Buffer.from(data).toString()])

describe('tar', () => {
  const long = `${'long/'.repeat(40)}name.json`
  test.each<[string, Parameters<typeof tar>[0], [string, string][]]>([
    [
      'plain files',
      [
        { name: 'a', content: 'A' },
        { name: 'b', content: 'B'.repeat(513) },
      ],
      [
        ['a', 'A'],
        ['b', 'B'.repeat(513)],
      ],
    ],
    [
      'an empty file',
      [
        { name: 'a', content: '' },
        { name: 'b', content: 'B' },
      ],
      [
        ['a', ''],
        ['b', 'B'],
      ],
    ],
    ['a prefix', [{ name: 'a', prefix: 'folder', content: 'A' }], [['folder/a', 'A']]],
    [
      'folders and links are left out',
      [
        { name: 'f/', kind: '5', content: '' },
        { name: 'l', kind: '2', content: '' },
      ],
      [],
    ],
    [
      'a long GNU name',
      [
        { name: '././@LongLink', kind: 'L', content: `${long}\0` },
        { name: 'cut', content: 'A' },
      ],
      [[long, 'A']],
    ],
    [
      'a long pax name',
      [
        { name: 'pax', kind: 'x', content: `20 mtime=1.5\n220 path=${long}\n` },
        { name: 'cut', content: 'A' },
      ],
      [[long, 'A']],
    ],
  ])('%s', (_, files, expected) => {
    expect(names(tar(files))).toEqual(expected)
  })

  test('a wrong header and a cut archive are refused', () => {
    const archive = tar([{ name: 'a', content: 'A'.repeat(600) }])
    expect(() => names(archive.subarray(0, 1024))).toThrow('ends too early')
    archive[0] = 66
    expect(() => names(archive)).toThrow('no tar header at byte 0')
  })
})

describe.each(['zip', 'tgz'] as const)('%s', (format) => {
  const packed = (files: Readonly<Record<string, string>>): Uint8Array =>
    format === 'zip'
      ? zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])))
      : gzipSync(tar(Object.entries(files).map(([name, content]) => ({ name, content }))))

  function archived(bytes: Uint8Array): { folder: string; archive: string } {
    const folder = mkdtempSync(join(tmpdir(), 'gembench-unpack-'))
    const archive = join(folder, 'archive')
    writeFileSync(archive, bytes)
    return { folder, archive }
  }

  test('only the members wanted come, from whatever folder', async () => {
    const { folder, archive } = archived(packed({ 'data/one.json': '1', 'two.json': '2', 'three.json': '3' }))
    const paths = await unpack(archive, format, ['one.json', 'two.json'], folder)
    expect(paths).toEqual([join(folder, 'one.json'), join(folder, 'two.json')])
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['1', '2'])
    expect(readdirSync(folder).sort()).toEqual(['archive', 'one.json', 'two.json'])
    expect(await unpack(archive, format, ['one.json', 'two.json'], folder)).toEqual(paths)
  })

  test('a member cannot leave the folder', async () => {
    const { folder, archive } = archived(packed({ '../../outside.json': '1' }))
    expect(await unpack(archive, format, ['outside.json'], folder)).toEqual([join(folder, 'outside.json')])
  })

  test('another file of that name is not overwritten', async () => {
    const { folder, archive } = archived(packed({ 'one.json': '1' }))
    writeFileSync(join(folder, 'one.json'), 'mine')
    await expect(unpack(archive, format, ['one.json'], folder)).rejects.toThrow(
      /one\.json: is there already and differs/,
    )
    expect(readFileSync(join(folder, 'one.json'), 'utf8')).toBe('mine')
  })

  test('a missing member and a damaged archive are named', async () => {
    const { folder, archive } = archived(packed({ 'one.json': '1' }))
    await expect(unpack(archive, format, ['two.json'], folder)).rejects.toThrow(/archive: holds no two\.json/)
    const page = archived(strToU8('<html>not what you asked for</html>'))
    await expect(unpack(page.archive, format, ['one.json'], page.folder)).rejects.toThrow(
      `cannot be unpacked as ${format}`,
    )
  })
})

test.each([
  ['data.zip', 'data.zip'],
  ['../../data.zip', 'data.zip'],
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
