import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { unpack } from '../../../src/datasets/download/unpack.ts'
import { checkRefusal, capture } from '../command.ts'
import { usual, type Kind } from '../kind.ts'
import { mutateBytes, pick } from '../mutate.ts'

const members: Readonly<Record<string, string>> = {
  'one.json': JSON.stringify({ a: 'first '.repeat(40) }),
  'two.jsonl': '{"n":1}\n{"n":2}\n',
}

/** Archives as a download has them: unpacked into their folder with their bytes, or refused in one line. */
const archive: Kind = {
  ...usual,
  name: 'archive',
  async open(folder) {
    const files = Object.entries(members).map(([name, text]) => [`data/v1/${name}`, strToU8(text)] as const)
    const tar = tarOf([...files, ['data/v1/README', strToU8('read me')]])
    const zips = [0, 6].map((level) => zipSync(Object.fromEntries(files), { level: level as 0 | 6 }))
    const archives: Readonly<Record<string, readonly Uint8Array[]>> = { zip: zips, tgz: [gzipSync(tar)], tar: [tar] }
    const home = join(folder, 'home')
    return {
      make(random) {
        const of = pick(Object.keys(archives), random)
        const bytes = mutateBytes(pick(archives[of] ?? [], random), random)
        return { of, bytes: of === 'tar' ? gzipSync(bytes) : bytes }
      },
      async attempt({ of, bytes }) {
        rmSync(home, { recursive: true, force: true })
        mkdirSync(join(home, 'in'), { recursive: true })
        const file = join(home, 'in', 'download')
        writeFileSync(file, bytes)
        const names = Object.keys(members)
        const output = await capture(() => unpack(file, of === 'zip' ? 'zip' : 'tgz', names, join(home, 'in')))
        const refusal = checkRefusal(output, file)
        const outside = [...readdirSync(folder), ...readdirSync(home)].filter(
          (name) => name !== 'home' && name !== 'in',
        )
        const inside = readdirSync(join(home, 'in')).filter((name) => name !== 'download' && !names.includes(name))
        if (outside.length + inside.length > 0)
          return { fault: `other files lie there: ${[...outside, ...inside].join()}` }
        if (refusal) return refusal
        // a tar has no checksum of its contents; that of the gzip around it was made after the damage
        const hasOtherBytes =
          of !== 'tar' && names.some((name) => readFileSync(join(home, 'in', name), 'utf8') !== members[name])
        return hasOtherBytes ? { fault: 'other bytes were unpacked, without an error' } : { outcome: `unpacked ${of}` }
      },
    }
  },
}
export default archive

/** A tar archive (POSIX ustar) of some files. */
function tarOf(files: readonly (readonly [name: string, data: Uint8Array])[]): Buffer {
  const blocks = files.flatMap(([name, data]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write('0', 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
