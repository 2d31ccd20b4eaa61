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
  for (const item of items) printItem(item, name !== undefined)
}

function printItem({ name, summary, source, options, split, status }: ListedItem, isAlone: boolean): void {
  print(`${pc.bold(name)}  ${summary}`)
  if (isAlone && source !== undefined && !status) print(pc.dim(`  source: ${source}`))
  if (status) {
    const { licence, source: origin } = status
    print(pc.dim(presence(status)))
    print(pc.dim(`  ${[...new Set([licence, origin])].join('; ')}`))
  }
  if (split !== undefined) print(pc.dim(`  split: ${split}`))
  const widths = (['name', 'type', 'default'] as const).map((column) =>
    Math.max(0, ...options.map((option) => option[column].length)),
  )
  for (const option of options) {
    const type = pc.dim(option.type.padEnd(widths[1] ?? 0))
    const value = option.default.padEnd(widths[2] ?? 0)
    print(`  ${option.name.padEnd(widths[0] ?? 0)}  ${type}  ${value}  ${pc.dim(option.description)}`)
  }
  print('')
}

function presence({ name, here, path, brought }: DatasetStatus): string {
  if (here) return `  present: ${path}`
  if (brought) return `  not present; download: gembench data get ${name}`
  if (name === 'files') return '  not present; for your own folder: gembench init FOLDER'
  return `  not present; put your copy at ${path}`
}

/** The list written by the build: making it loads every item. */
function readListing(kind: Listed): readonly ListedItem[] | undefined {
  const file = new URL(`./listed-${kind}.json`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly ListedItem[]) : undefined
}
