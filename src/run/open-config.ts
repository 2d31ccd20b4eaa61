import { readConfigs, type Plan, type ReadSettings } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { registries } from './plug-ins/registries.ts'
import { type PlugInObjects, extractObjects } from './plug-ins/extract-objects.ts'
import type { RunConfig } from './run-config.ts'
import { withDefaults, type RunSettings, type Settings } from './prepare/settings.ts'

/** A config that was read: a plan for each of its runs, and where they read and write. */
export interface OpenedConfig {
  readonly plans: readonly Plan[]
  readonly settings: Settings
}

/** Reads a config, or files of one. Throws UserError with a line for each mistake. */
export async function openConfig(
  config: RunConfig | string | readonly string[],
  options: RunSettings,
): Promise<OpenedConfig> {
  const { cwd = process.cwd() } = options
  const settings = withDefaults({ ...options, cwd })
  const read: ReadSettings = { ...options, cwd, environment: process.env }
  if (isFiles(config)) return { plans: await readConfigs([config].flat(), read, registries), settings }
  const { config: values, objects } = extractObjects({ ...config })
  const plans = await readConfigs({ value: values, name: 'config' }, read, { ...registries, objects })
  const names = namesOf(objects)
  const [first] = names
  if (first !== undefined && options.workers !== undefined)
    throw new UserError(
      `workers: a run with ${first} cannot be given to them, an object of this program; name a file that exports it`,
    )
  return { plans, settings: { ...settings, ...(names.length > 0 && { objects }) } }
}

const isFiles = (config: RunConfig | string | readonly string[]): config is string | readonly string[] =>
  typeof config === 'string' || Array.isArray(config)

/** Notes that objects of the program are not in the results. */
export function noteOnObjects({ objects }: Settings) {
  const names = objects ? namesOf(objects) : []
  if (names.length === 0) return []
  return [`${names.join(', ')}: of the program that ran this: "gembench verify" cannot replay them.`]
}

const namesOf = (objects: PlugInObjects) => Object.values(objects).flatMap((registry) => [...registry.keys()])
