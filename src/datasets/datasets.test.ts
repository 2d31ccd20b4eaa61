import { expect, test } from 'vitest'
import { datasetCopies } from '../test-support/dataset-copies/dataset-copies.ts'
import { onShelf, shelfFiles } from '../test-support/dataset-copies/shelf-files.ts'
import { walk } from '../test-support/walk.ts'
import { testDataset } from '../testing/index.ts'
import { datasetNamed, datasets } from './index.ts'
import { fileChecksum } from './shared/checksum.ts'

walk(await datasets.all(), datasetCopies, 'src/test-support/dataset-copies/dataset-copies.ts', testDataset)

for (const [name, cases] of Object.entries(shelfFiles))
  for (const one of cases) testDataset(await datasetNamed(name), one)

test.each(onShelf(['qmsum/ALL.test.jsonl', 'qmsum'], ['squality/v1-3.txt.test.jsonl', 'squality']))(
  'the digest of the download is that of %s',
  async (file, name) => {
    const { download } = await datasetNamed(name)
    const digests = download?.files.flatMap(({ sha256 = [] }) => sha256)
    expect(digests).toContain(await fileChecksum(file))
  },
)
