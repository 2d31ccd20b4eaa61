export { configJsonSchema } from './json-schema.ts'
export { readData } from './read.ts'
export { asksOf } from './asks.ts'
export { readConfig, readConfigs, readConfigValue, readConfigValues, writtenConfig } from './read.ts'
export { readForText } from './read.ts'
export { defaultPassages, defaultSeed, type ConfigInput } from './schema.ts'
export { datasetSection, type PlannedTraining } from './schema-parts.ts'
export type { ReadSettings } from './read.ts'
export type {
  Limits,
  MenuItem,
  Menus,
  ModelItem,
  Plan,
  Planned,
  PlannedChunks,
  PlannedCompare,
  PlannedDataset,
  PlannedMethod,
  PlannedPlugIn,
  PlannedScorer,
} from './plan.ts'
