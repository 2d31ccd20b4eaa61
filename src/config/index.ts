export { configJsonSchema } from './json-schema.ts'
export { readData } from './read.ts'
export { locatedConfig, readConfig, readConfigs, readConfigValue, readConfigValues } from './read.ts'
export type { Located } from './source/located-value.ts'
export { readForIndex, readForText } from './read.ts'
export { defaultSeed, type ConfigInput } from './schema.ts'
export type { PlannedTraining } from './schema.ts'
export type { ReadSettings } from './read.ts'
export type {
  Limits,
  MenuItem,
  MenuObjects,
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
} from './plan/plan.ts'
