import { resolve } from 'node:path'
import { readConfig, type Plan } from '../config/index.ts'
import { menus, type Settings } from '../run/index.ts'

/** The flags of every command that reads configs. */
export interface PlanFlags {
  readonly config: readonly string[]
  readonly set: readonly string[]
  readonly limit?: number
  readonly methods?: readonly string[]
  readonly cache: boolean
  readonly cacheFolder: string
  readonly results?: string
}

/** Reads the configs that the flags name, with what the flags change in them. */
export const planOf = ({ config, set, limit, methods }: PlanFlags): Promise<Plan> =>
  readConfig(
    config,
    {
      set,
      cwd: process.cwd(),
      environment: process.env,
      ...(limit !== undefined && { limit }),
      ...(methods && { methods }),
    },
    menus,
  )

/** Where the flags say that a run reads and writes. */
export const settingsOf = (
  { cache, cacheFolder, results = 'results' }: Pick<PlanFlags, 'cache' | 'cacheFolder' | 'results'>,
  signal: AbortSignal,
): Settings => ({ results, cacheFolder: resolve(cacheFolder), cache, signal })
