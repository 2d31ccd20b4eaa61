/** A tar archive (POSIX ustar) of some files. */
export function tarOf(files: readonly (readonly [name: string, data: Uint8Array])[]): Buffer {
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
