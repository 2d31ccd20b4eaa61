import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { gather } from '../testing/dataset.ts'
import { ragbench } from './ragbench.ts'

test('rejects Parquet that unpacks to more than memory holds', async () => {
  const text = ' '.repeat(2 ** 26)
  const data = Array.from({ length: 9 }, (_, index) => `${text}${index}`)
  const columnData = [{ name: 'id', data, encoding: 'PLAIN' as const }]
  const bomb = new Uint8Array(parquetWriteBuffer({ columnData, pageSize: 2 ** 30 }))
  const file = join(mkdtempSync(join(tmpdir(), 'gembench-ragbench-')), 'toy_train.parquet')
  writeFileSync(file, bomb)
  expect(bomb.length).toBeLessThan(2 ** 26)
  await expect(gather(ragbench.corpora(file, ragbench.options.parse({})))).rejects.toThrow(
    /cannot be read as Parquet \(a page says to unpack to \d+ bytes, more than 536870912\)$/,
  )
})
