import { join } from 'node:path'
import { readConfig, readConfigs, type Plan, type ReadSettings } from '../config/index.ts'
import { UserError, messageOf } from '../errors.ts'
import { menus, settingsFrom, type Settings } from '../run/index.ts'
import { printNotice } from './terminal/print.ts'
import { parse } from 'yaml'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { trustFound, type TrustFlags } from './trust.ts'
import { parseEnv } from 'node:util'

/** The flags that limit what the calls of a command may spend. */
export interface SpendingFlags {
  readonly budgetCalls?: number
  readonly budgetTokens?: number
  readonly budgetUsd?: number
}

/** The flags of every command that reads configs. */
export interface PlanFlags extends TrustFlags {
  readonly config?: readonly string[]
  readonly set: readonly string[]
  readonly limit?: number
  readonly methods?: readonly string[]
  readonly results?: string
  readonly workers?: string
}

/** The plan of the one run that the flags name. Throws UserError where there is none, or several. */
export const planOf = (flags: PlanFlags): Promise<Plan> => read(readConfig, flags)

/** The same for a command that takes the config of several runs, too. */
export const plansOf = (flags: PlanFlags): Promise<readonly Plan[]> => read(readConfigs, flags)

async function read<T>(
  reader: (configs: readonly string[], settings: ReadSettings, known: typeof menus) => Promise<T>,
  { config, set, limit, methods, ...flags }: PlanFlags,
): Promise<T> {
  const configs = configsOf(config)
  if (!configs) throw new UserError(`there is no config: ${howToConfigure}`)
  if (!config) for (const found of configs) await trustFound(found, flags, atHome([]))
  return reader(configs, { ...atHome(set), ...(limit !== undefined && { limit }), ...(methods && { methods }) }, menus)
}

/** What `--set` changes, and where this process stands. */
export const atHome = (set: readonly string[]): Pick<ReadSettings, 'set' | 'cwd' | 'environment'> => ({
  set,
  cwd: process.cwd(),
  environment: { ...readDotEnv(process.cwd()), ...process.env },
})

/** Throws UserError for flags that another one makes senseless. */
export function refuseFlags(flag: string, given: Readonly<Record<string, unknown>>, why: string): void {
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length > 0) throw new UserError(`${flag} cannot be combined with ${names.join(' or ')}: ${why}`)
}

/** What the flags say of folders, cache and limits. Throws UserError where a run that a limit stops could not go on. */
export function settingsOf(
  {
    cache,
    cacheFolder,
    results = 'results',
    workers,
    ...limits
  }: SpendingFlags & Pick<PlanFlags, 'cache' | 'cacheFolder' | 'results' | 'workers'>,
  signal: AbortSignal,
): Settings {
  const { budgetCalls: calls, budgetTokens: tokens, budgetUsd: usd } = limits
  const spend = Object.fromEntries(Object.entries({ calls, tokens, usd }).filter(([, limit]) => limit !== undefined))
  const [limited] = Object.keys(spend)
  if (limited !== undefined && workers !== undefined)
    throw new UserError(
      `--budget-${limited} cannot be used with --workers: what workers spend is not known before each of their calls`,
    )
  if (limited !== undefined && !cache)
    throw new UserError(
      `--budget-${limited} cannot be used with --no-cache: the next run takes the calls that were made from the cache`,
    )
  const settings = settingsFrom({
    cacheFolder,
    cache,
    signal,
    warn: printNotice,
    ...(workers !== undefined && { workers }),
    ...(limited !== undefined && { spend }),
  })
  return { ...settings, results }
}

/** The options that `--set option=value` names; each value is YAML. Throws UserError for what is no such pair. */
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

/** The config of every command that names none, where the working folder has it. */
export const defaultConfig = 'gembench.yaml'

/** The configs that the flags name, else the default one; undefined where there is none. */
export const configsOf = (named: readonly string[] | undefined): readonly string[] | undefined =>
  named ?? (existsSync(defaultConfig) ? [defaultConfig] : undefined)

/** How to come by a config, for messages. */
export const howToConfigure = `give a config with -c FILE, or write ${defaultConfig} with "gembench init"`

/**
 * The variables of the file `.env` in a folder; the environment of this process stays as it is. Throws UserError with
 * the first line that is no variable, without what it says.
 */
export function readDotEnv(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, '.env')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return {}
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  // parseEnv passes over what it cannot read: what is left without the variables must be blank, or comments
  const left = text.replace(variable, (whole) => whole.replace(/[^\n]/g, ''))
  const at = left.split('\n').findIndex((line) => !/^\s*(#|$)/.test(line))
  if (at >= 0)
    throw new UserError(
      `.env:${at + 1}: cannot be read; expected NAME=value, the value in quotes where it has spaces or "#"`,
    )
  // parseEnv trims blanks, but no tabs
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replace(/^\t+|\t+$/g, '')]],
    ),
  )
}

/** A variable with its value: in quotes, on one or several lines, or without quotes and "#". A comment may follow. */
const variable =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*(?:(["'])(?:(?!\1)[^])*\1[ \t]*(?:#.*)?|(?!["'])(?:[^#\n]*[^#\s])?(?:[ \t]+#.*|\s*?))$/gm
