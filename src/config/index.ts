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
  type ReadSettings,
} from './read.ts'
export { defaultPassages, defaultSeed, type ConfigInput } from './schema.ts'
export { datasetSection, type PlannedTraining } from './schema-parts.ts'
export type {
  PlugInSpec as MenuItem,
  Registries as Menus,
  ModelSpec as ModelItem,
  PlannedItem as Planned,
  PlannedPlugIn,
} from './plug-ins.ts'
export type { PlannedMethod, PlannedScorer } from './plan-rows.ts'
export type { Limits, Plan, PlannedChunks, PlannedCompare } from './plan.ts'
