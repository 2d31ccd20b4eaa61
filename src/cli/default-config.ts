import { existsSync } from 'node:fs'

/** The config of every command that names none, where the working folder has it. */
export const defaultConfig = 'gembench.yaml'

/** The configs that the flags name, else the default one; undefined where there is none. */
export const configsOf = (named: readonly string[] | undefined): readonly string[] | undefined =>
  named ?? (existsSync(defaultConfig) ? [defaultConfig] : undefined)

/** How to come by a config, for messages. */
export const howToConfigure = `give a config with -c FILE, or write ${defaultConfig} with "gembench init"`
