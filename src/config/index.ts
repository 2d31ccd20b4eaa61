export { configJsonSchema } from './json-schema.ts'
export { asksOf } from './environment.ts'
export {
  readConfig,
  readConfigs,
  readConfigValue,
  readConfigValues,
  readData,
  readForText,
  rawConfig as writtenConfig,
} from './read.ts'
export { defaultPassages, defaultSeed, type ConfigInput } from './schema.ts'
export { datasetSection, type PlannedTraining } from './schema-parts.ts'
export type {
  Limits,
  PlugInSpec as MenuItem,
  Registries as Menus,
  ModelSpec as ModelItem,
  Plan,
  PlannedItem as Planned,
  PlannedChunks,
  PlannedCompare,
  PlannedMethod,
  PlannedPlugIn,
  PlannedScorer,
  ReadSettings,
} from './plan.ts'
