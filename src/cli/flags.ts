import { type Command, Option, InvalidArgumentError } from 'commander'
import type { Threshold } from '../report/gate/thresholds.ts'

/** The options of commands that ask the questions of a config. */
export const withPlan = (command: Command, config: Option = configOption): Command =>
  withCache(
    withConfig(command, config)
      .option('--limit <questions>', 'ask only the first questions', wholeNumber)
      .option('--methods <labels>', 'only these methods, by label, separated by commas', commaList),
  )

/** The options of commands that read configs. */
export const withConfig = (command: Command, config: Option = configOption): Command =>
  command
    .addOption(config)
    .option('--set <path=value>', 'set one config value (repeatable)', collect, [])
    .option('--trust', 'trust the programs, plug-ins and servers that the gembench.yaml in this folder names', false)

/** Examples below the help of a command. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`

/** Several configs after one flag, for commands without arguments. */
const configOption = new Option(
  '-c, --config <file...>',
  'config files; later ones override earlier ones (default: gembench.yaml)',
)

/** One config per flag, for commands with an argument that may follow. */
export const repeatableConfig = (description: string): Option =>
  new Option('-c, --config <file>', description).argParser(collect)

/** The options of commands with a call cache. */
export const withCache = (command: Command): Command =>
  command.addOption(cacheOption()).option('--no-cache', 'do not use the call cache on disk')

/** The options of every command that can end as a gate of a CI job. */
export const withGate = (command: Command): Command =>
  command
    .option(
      '--min <metric=value>',
      'end with exit code 4 if the mean of a row is below this fraction, as in correct=.8; ROW#METRIC=VALUE concerns one row (repeatable)',
      thresholds,
    )
    .option('--junit <file>', 'write the outcome as JUnit XML, for the pages of CI systems')

/** The options of commands that make many calls; a run that a limit ends resumes from cached calls of this process. */
export function withLimits(command: Command): Command {
  const limits = [
    [
      '--budget-calls <number>',
      'stop with exit code 5 before this command makes more model calls than this; cached calls do not count',
      wholeNumber,
    ],
    [
      '--budget-tokens <number>',
      'the same for tokens of prompts, replies and embedded texts; a reply counts at its greatest length until it arrives',
      wholeNumber,
    ],
    [
      '--budget-usd <dollars>',
      'the same for money, by the prices in the config; local models without a price cost nothing',
      positiveNumber,
    ],
  ] as const
  for (const [flag, description, parse] of limits)
    command.addOption(new Option(flag, description).argParser(parse).conflicts(['workers', 'cache']))
  return command
}

export const defaultCacheFolder = '.cache'

export const cacheOption = (): Option =>
  new Option('--cache-folder <folder>', 'folder of cached calls and downloaded models')
    .env('GEMBENCH_CACHE')
    .default(defaultCacheFolder)

/** Collects the values of a repeatable flag. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

function thresholds(text: string, before: readonly Threshold[] = []): readonly Threshold[] {
  const [, row, metric, value] = /^(?:(.+)#)?([^#=]+)=(-?\d*\.?\d+)$/s.exec(text) ?? []
  if (metric === undefined || value === undefined)
    throw new InvalidArgumentError('It must be METRIC=VALUE or ROW#METRIC=VALUE, as in correct=.8.')
  return [...before, { ...(row !== undefined && { row }), metric, least: Number(value) }]
}

/** Values separated by commas. */
export const commaList = (value: string): readonly string[] => value.split(',').map((item) => item.trim())

/** Row names separated by commas outside brackets, such as "raptor (clusters=2, layers=1)". */
export const rowList = (value: string): readonly string[] => value.split(/,(?![^(]*\))/).map((item) => item.trim())

/** A parser of numbers; its error contains `description`. */
const numberOf =
  (description: string, isValid: (number: number) => boolean, form = /\S/) =>
  (value: string): number => {
    const number = form.test(value) ? Number(value) : NaN
    if (!isValid(number)) throw new InvalidArgumentError(`It must be ${description}.`)
    return number
  }

export const fraction = numberOf('a number above 0 and below 1', (number) => number > 0 && number < 1, /^\d*\.?\d+$/)

export const wholeNumber = numberOf('a whole number, 1 or more', (number) => number >= 1, /^[1-9]\d*$/)

export const wholeOrZero = numberOf('a whole number, 0 or more', Number.isSafeInteger, /^\d+$/)

const positiveNumber = numberOf('a number above 0', (number) => number > 0 && number < Infinity)
