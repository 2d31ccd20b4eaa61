import { type Command, Option } from 'commander'
import { collect, commaList, positiveNumber, wholeNumber } from './flag-values.ts'

/** The options of every command that asks questions of a config; `config` is how it takes configs. */
export const withPlan = (command: Command, description: string, config: Option = configOption): Command =>
  withCache(
    withConfig(command, description, config)
      .option('--limit <questions>', 'ask only the first questions', wholeNumber)
      .option('--methods <labels>', 'only these methods, by label, separated by commas', commaList),
  )

/** The options of every command that reads configs. */
export const withConfig = (command: Command, description: string, config: Option = configOption): Command =>
  command
    .description(description)
    .addOption(config)
    .option('--set <path=value>', 'set one config value (repeatable)', collect, [])

/** Several configs after one flag: of commands without an argument that could stand behind it. */
const configOption = new Option(
  '-c, --config <file...>',
  'config files; later ones override earlier ones (default: gembench.yaml)',
)

/** One config after each flag: of commands with an argument, which may stand behind it. */
export const configsOneByOne = (description: string): Option =>
  new Option('-c, --config <file>', description).argParser(collect)

/** The options of every command that has a call cache. */
export const withCache = (command: Command): Command =>
  command.addOption(cacheOption()).option('--no-cache', 'do not use the call cache on disk')

/** The options of every command that makes many calls. */
export function withLimits(command: Command): Command {
  return command
    .option(
      '--budget-calls <number>',
      'stop with exit code 5 before this command makes more calls to models than this; calls to local models and every batch of embedded texts count, cached calls do not',
      wholeNumber,
    )
    .option(
      '--budget-tokens <number>',
      'the same for tokens: those of prompts, replies and embedded texts; a reply counts at its greatest length until it has come',
      wholeNumber,
    )
    .option(
      '--budget-usd <dollars>',
      'the same for money, by the prices in the config; models on this computer cost nothing where they have no price',
      positiveNumber,
    )
}

export const cacheOption = (): Option =>
  new Option('--cache-folder <folder>', 'folder of cached calls and downloaded models')
    .env('GEMBENCH_CACHE')
    .default('.cache')
