import { type Command, Option, InvalidArgumentError } from 'commander'

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
    .option('--trust', 'run what a gembench.yaml that lies here names, without being asked', false)

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

export const defaultCacheFolder = '.cache'

export const cacheOption = (): Option =>
  new Option('--cache-folder <folder>', 'folder of cached calls, indexes of large corpora and downloaded models')
    .env('GEMBENCH_CACHE')
    .default(defaultCacheFolder)

/** Of a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Values separated by commas. */
export const commaList = (value: string): readonly string[] => value.split(',').map((one) => one.trim())

/** Names of rows separated by commas outside brackets, such as "raptor (clusters=2, layers=1)". */
export const rowList = (value: string): readonly string[] => value.split(/,(?![^(]*\))/).map((one) => one.trim())

/** Above 0 and below 1. */
export function fraction(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError('It must be a number above 0 and below 1.')
  return number
}

/** Above 0, up to 1. */
export function shareAboveZero(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN
  if (!(number > 0 && number <= 1)) throw new InvalidArgumentError('It must be a number above 0, and no more than 1.')
  return number
}

/** From .5 on, below 1. */
export function fromHalf(value: string): number {
  const number = fraction(value)
  if (number < 0.5) throw new InvalidArgumentError('It must be at least .5 and below 1.')
  return number
}

/** Above 0 and below .5. */
export function belowHalf(value: string): number {
  const number = fraction(value)
  if (number >= 0.5) throw new InvalidArgumentError('It must be above 0 and below .5.')
  return number
}

/** 1 or more. */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(value)
}

/** 0 or more. */
export function wholeOrZero(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(value)
}

/** Any number. */
export function score(value: string): number {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number, such as .5.')
  return number
}

/** Above 0. */
function positiveNumber(value: string): number {
  if (!(Number(value) > 0 && Number(value) < Infinity)) throw new InvalidArgumentError('It must be a number above 0.')
  return Number(value)
}
