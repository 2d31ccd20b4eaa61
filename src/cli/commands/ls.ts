import pc from 'picocolors'
import { z } from 'zod'
import { datasetStatuses, menus, type DatasetStatus } from '../../run/index.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'

/** An option of a plug-in, as its schema describes it. */
export interface OptionDoc {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly description: string
}

/** What can be listed. */
export type Listed = 'methods' | 'datasets' | 'scorers' | 'models'

/** `gembench ls`: what a config can name, with options and defaults, and whether the files of datasets are present. */
export async function lsCommand(what: Listed, { json }: JsonFlag): Promise<void> {
  const statuses = new Map(what === 'datasets' ? (await datasetStatuses()).map((one) => [one.name, one]) : [])
  const items = (await menus[what].all()).map(({ name, summary, options }) => ({
    ...{ name, summary },
    ...statuses.get(name),
    options: optionDocs(options),
  }))
  if (json) {
    printJson(items)
    return
  }
  for (const { name, summary, options } of items) {
    print(`${pc.bold(name)}  ${summary}`)
    const status = statuses.get(name)
    if (status) print(pc.dim(`  ${statusLine(status)}`))
    const width = (column: 'name' | 'type' | 'default'): number =>
      Math.max(0, ...options.map((option) => option[column].length))
    const [names, types, defaults] = [width('name'), width('type'), width('default')]
    for (const { name: option, type, default: value, description } of options) {
      print(
        `  ${option.padEnd(names)}  ${pc.dim(type.padEnd(types))}  ${value.padEnd(defaults)}  ${pc.dim(description)}`,
      )
    }
    print('')
  }
}

function statusLine({ name, licence, source, here, path, brought }: DatasetStatus): string {
  const remedy = brought
    ? `get it with: gembench data get ${name}`
    : name === 'files'
      ? 'write a config for a folder of your own with: gembench init FOLDER'
      : `put a copy of your own at ${path}`
  return `${here ? `present: ${path}` : `not present; ${remedy}`}; ${[...new Set([licence, source])].join('; ')}`
}

/** The options of a schema, from its JSON schema: the same source as the docs and the editor's completion. */
export function optionDocs(options: z.ZodType): readonly OptionDoc[] {
  const schema = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' })
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description = '', default: value, ...rest } = property as z.core.JSONSchema.JSONSchema
    return { name, type: typeOf(rest), default: value === undefined ? '' : JSON.stringify(value), description }
  })
}

function typeOf(schema: z.core.JSONSchema.JSONSchema): string {
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return either.map((one) => typeOf(one)).join(' | ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as z.core.JSONSchema.JSONSchema)}`
  return String(schema.type ?? 'any')
}
