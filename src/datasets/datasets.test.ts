import { datasetCopies } from '../test-support/dataset-copies/dataset-copies.ts'
import { walk } from '../test-support/walk.ts'
import { testDataset } from '../testing/suites.ts'
import { datasets } from './index.ts'

walk(await datasets.all(), datasetCopies, 'src/test-support/dataset-copies/dataset-copies.ts', testDataset)
