import { expect, test } from 'vitest'
import { datasetCopies } from '../test-support/dataset-copies/dataset-copies.ts'
import { inReferenceData, shelfFiles } from '../test-support/dataset-copies/reference-data.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { walk } from '../test-support/walk.ts'
import { testDataset } from '../testing/index.ts'
import { findDataset, datasets } from './index.ts'
import { safeName } from './download/unpack.ts'
import { fileChecksum } from './shared/checksum.ts'

walk(await datasets.all(), datasetCopies, 'src/test-support/dataset-copies/dataset-copies.ts', testDataset)

for (const [name, cases] of Object.entries(shelfFiles))
  for (const item of cases) testDataset(await findDataset(name), item)

test.each(inReferenceData(['qmsum/ALL.test.jsonl', 'qmsum'], ['squality/v1-3.txt.test.jsonl', 'squality']))(
  'the declared digest of the download is that of %s',
  async (file, name) => {
    const { download } = await findDataset(name)
    const digests = download?.files.flatMap(({ sha256 = [] }) => sha256)
    expect(digests).toContain(await fileChecksum(file))
  },
)

// the archive of TechQA is unpacked by hand
test.each((await datasets.all()).filter(({ name, download }) => download && name !== 'techqa'))(
  'reads the download of $name',
  async (dataset) => {
    const names = dataset.download?.files.flatMap(({ name, unpack }) => unpack?.members ?? [safeName(name)]) ?? []
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, ''])))
    const options = dataset.options.parse(dataset.name === 'ragbench' ? { subset: 'techqa' } : {})
    const files = await dataset.files(folder, options)
    expect(files.every((file) => file.startsWith(folder))).toBe(true)
  },
)
