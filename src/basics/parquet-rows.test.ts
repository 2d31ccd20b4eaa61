import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { readIndex } from '../methods/graphrag/read-published-index.ts'
import { parquetRows } from './parquet-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-parquet-'))

/** A number as Thrift writes it, in four bytes. */
const fourBytes = (value: number): Buffer =>
  Buffer.from([0, 1, 2, 3].map((at) => ((value >> (7 * at)) & 127) | (at < 3 ? 128 : 0)))

/**
 * A file of about 300 bytes whose column has a million values that are null; its pages say to have `said`, its head to
 * have three rows.
 */
function manyNulls(name: string, said: number): string {
  const rows = 2 ** 20
  const data = new Array<null>(rows).fill(null)
  const columnData = [{ name: 'title', data, type: 'STRING' as const, nullable: true }]
  const bytes = Buffer.from(
    parquetWriteBuffer({
      columnData,
      rowGroupSize: [rows],
      pageSize: 2 ** 30,
      codec: 'UNCOMPRESSED',
      statistics: false,
    }),
  )
  const head = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8)
  const written = fourBytes(2 * rows)
  for (let at = -1; (at = bytes.indexOf(written, at + 1)) >= 0;) fourBytes(at < head ? 2 * said : 6).copy(bytes, at)
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const refusal =
  /entities\.parquet: cannot be read as Parquet \(the pages of a group say to hold \d{9} values, more than 33554432\)$/

test('rejects Parquet pages with too many values before reading them', async () => {
  await expect(parquetRows(manyNulls('entities.parquet', 2 ** 27 - 1)).next()).rejects.toThrow(refusal)
})

test('rejects Parquet pages with too many values in a published index, too', async () => {
  manyNulls('entities.parquet', 2 ** 27 - 1)
  await expect(readIndex(folder)).rejects.toThrow(refusal)
})
