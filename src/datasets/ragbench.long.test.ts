import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { ragbench } from './ragbench.ts'

test('rejects Parquet that unpacks to more than memory holds', async () => {
  const text = ' '.repeat(2 ** 26)
  const data = Array.from({ length: 9 }, (_, index) => `${text}${index}`)
  const columnData = [{ name: 'id', data, encoding: 'PLAIN' as const }]
  const bomb = new Uint8Array(parquetWriteBuffer({ columnData, pageSize: 2 ** 30 }))
  expect(bomb.length).toBeLessThan(2 ** 26)
  await expect(gather(ragbench.corpora(fileOf(bomb, 'toy_train.parquet'), ragbench.options.parse({})))).rejects.toThrow(
    /cannot be read as Parquet \(a page says to unpack to \d+ bytes, more than 536870912\)$/,
  )
})
