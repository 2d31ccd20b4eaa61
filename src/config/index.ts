export { configJsonSchema } from './json-schema.ts'
export { readData } from './read-data.ts'
export { readConfig } from './read.ts'
export { readForText } from './read-for-text.ts'
export type { ReadSettings } from './read.ts'
export type {
  MenuItem,
  Menus,
  ModelItem,
  Plan,
  Planned,
  PlannedChunks,
  PlannedDataset,
  PlannedMethod,
  PlannedPlugIn,
  PlannedScorer,
} from './plan.ts'
