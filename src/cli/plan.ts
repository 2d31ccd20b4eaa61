import { join } from 'node:path'
import { readConfig, readConfigs, type Plan, type ReadSettings } from '../config/index.ts'
import { UserError, messageOf } from '../errors.ts'
import { registries, withDefaults, type Settings } from '../run/index.ts'
import { printNotice } from './terminal/print.ts'
import { parse } from 'yaml'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { confirmTrust, type TrustFlags } from './trust.ts'
import { parseEnv } from 'node:util'

/** The flags that limit the expenses of a command. */
export interface UsageLimitFlags {
  readonly budgetCalls?: number
  readonly budgetTokens?: number
  readonly budgetUsd?: number
}

/** The flags of commands that read configs. */
export interface PlanFlags extends TrustFlags {
  readonly config?: readonly string[]
  readonly set: readonly string[]
  readonly limit?: number
  readonly methods?: readonly string[]
  readonly results?: string
  readonly workers?: string
}

export const planOf = (flags: PlanFlags): Promise<Plan> => read(readConfig, flags)

/** The plans, for commands that accept the config of several runs. */
export const plansOf = (flags: PlanFlags): Promise<readonly Plan[]> => read(readConfigs, flags)

async function read<T>(
  reader: (configs: readonly string[], settings: ReadSettings, items: typeof registries) => Promise<T>,
  { config, set, limit, methods, ...flags }: PlanFlags,
): Promise<T> {
  const configs = configsOf(config)
  if (!configs) throw new UserError(`no config: ${howToConfigure}`)
  if (!config) for (const file of configs) await confirmTrust(file, flags, readSettingsOf([]))
  return reader(
    configs,
    { ...readSettingsOf(set), ...(limit !== undefined && { limit }), ...(methods && { methods }) },
    registries,
  )
}

/** The values of `--set`, working directory and environment. */
export const readSettingsOf = (set: readonly string[]): Pick<ReadSettings, 'set' | 'cwd' | 'environment'> => ({
  set,
  cwd: process.cwd(),
  environment: { ...readDotEnv(process.cwd()), ...process.env },
})

/** Folders, cache and limits from the flags. */
export function settingsOf(
  {
    cache,
    cacheFolder,
    results = 'results',
    workers,
    ...limits
  }: UsageLimitFlags & Pick<PlanFlags, 'cache' | 'cacheFolder' | 'results' | 'workers'>,
  signal: AbortSignal,
): Settings {
  const { budgetCalls: calls, budgetTokens: tokens, budgetUsd: usd } = limits
  const amounts = Object.entries({ calls, tokens, usd })
  const spend = Object.fromEntries(amounts.filter(([, limit]) => limit !== undefined))
  return withDefaults({
    results,
    cacheFolder,
    cache,
    signal,
    warn: printNotice,
    ...(workers !== undefined && { workers }),
    ...(Object.keys(spend).length > 0 && { spend }),
  })
}

/** The options of `--set option=value`; each value is YAML. Throws UserError for any other form. */
export const optionValues = (set: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    set.map((assignment) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
      if (key === '') throw new UserError(`--set ${assignment}: expected option=value`)
      return [key, valueOf(value, assignment)]
    }),
  )

function valueOf(text: string, assignment: string): unknown {
  try {
    return parse(text) as unknown
  } catch (error) {
    throw new UserError(`--set ${assignment}: ${messageOf(error)}`, { cause: error })
  }
}

/** The config in the working directory that commands use by default. */
export const defaultConfig = 'gembench.yaml'

/** The configs named by flags, else the default one; undefined if there is none. */
export const configsOf = (configs: readonly string[] | undefined): readonly string[] | undefined =>
  configs ?? (existsSync(defaultConfig) ? [defaultConfig] : undefined)

/** How to get a config, for messages. */
export const howToConfigure = `give a config with -c FILE, or write ${defaultConfig} with "gembench init"`

/** The variables of the file `.env` in a folder. Throws UserError naming the first invalid line, without quoting it. */
export function readDotEnv(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, '.env')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return {}
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  // parseEnv skips invalid lines: the rest without variables must be blank or comments
  const remainder = text.replace(variable, (match) => match.replace(/[^\n]/g, ''))
  const at = remainder.split('\n').findIndex((line) => !/^\s*(#|$)/.test(line))
  if (at >= 0)
    throw new UserError(
      `.env:${at + 1}: cannot be read; expected NAME=value, the value in quotes where it has spaces or "#"`,
    )
  // parseEnv trims spaces only
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replace(/^\t+|\t+$/g, '')]],
    ),
  )
}

/** A variable with its value: quoted, on one or several lines, or unquoted without "#". A comment may follow. */
const variable =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*(?:(["'])(?:(?!\1)[^])*\1[ \t]*(?:#.*)?|(?!["'])(?:[^#\n]*[^#\s])?(?:[ \t]+#.*|\s*?))$/gm
