import { Argument, type Command } from 'commander'
import { examples } from '../flags.ts'
import { existsSync, readFileSync } from 'node:fs'
import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import type { DatasetStatus } from '../../run/index.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { unknownName } from '../../text/names.ts'
import type { Listed, ListedItem } from './registry-items.ts'

export const setUp = (command: Command): Command =>
  command
    .addArgument(
      new Argument('<what>', 'what to list').choices(['methods', 'datasets', 'scorers', 'models'] satisfies Listed[]),
    )
    .argument('[name]', 'one of them, with its source and its options')
    .option('--json', 'print JSON only', false)
    .action(lsCommand)
    .addHelpText('after', examples('gembench ls methods', 'gembench ls methods gem-rag', 'gembench ls datasets'))

/** `gembench ls`: lists a registry with options and defaults, and whether files of datasets are present. */
async function lsCommand(kind: Listed, name: string | undefined, { json }: JsonFlag): Promise<void> {
  const all = readListing(kind) ?? (await (await import('./registry-items.ts')).itemsOf(kind))
  const items = name === undefined ? all : all.filter((item) => item.name === name)
  if (name !== undefined && items.length === 0)
    throw new UserError(
      unknownName(
        kind.slice(0, -1),
        name,
        all.map((item) => item.name),
      ),
    )
  if (json) {
    printJson(items.map(({ options, status, ...item }) => ({ ...item, ...status, options })))
    return
  }
  for (const { name: title, summary, source, options, split, status } of items) {
    print(messages.item(title, summary))
    if (name !== undefined && source !== undefined && !status) print(pc.dim(messages.source(source)))
    if (status) {
      print(pc.dim(messages.status(status)))
      print(pc.dim(messages.origin(status)))
    }
    if (split !== undefined) print(pc.dim(messages.split(split)))
    const width = (column: 'name' | 'type' | 'default'): number =>
      Math.max(0, ...options.map((option) => option[column].length))
    const names = width('name')
    const types = width('type')
    const defaults = width('default')
    for (const { name: option, type, default: value, description } of options) {
      print(
        `  ${option.padEnd(names)}  ${pc.dim(type.padEnd(types))}  ${value.padEnd(defaults)}  ${pc.dim(description)}`,
      )
    }
    print('')
  }
}

/** The list written by the build: making it loads every item. */
function readListing(kind: Listed): readonly ListedItem[] | undefined {
  const file = new URL(`./listed-${kind}.json`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly ListedItem[]) : undefined
}

const messages = {
  item: (name: string, summary: string) => `${pc.bold(name)}  ${summary}`,
  source: (source: string) => `  source: ${source}`,
  status: ({ name, here, path, brought }: DatasetStatus) => {
    if (here) return `  present: ${path}`
    if (brought) return `  not present; download: gembench data get ${name}`
    return `  not present; ${name === 'files' ? 'for your own folder: gembench init FOLDER' : `put your copy at ${path}`}`
  },
  origin: ({ licence, source }: DatasetStatus) => `  ${[...new Set([licence, source])].join('; ')}`,
  split: (split: string) => `  split: ${split}`,
}
