import pc from 'picocolors'
import { z } from 'zod'
import { menus } from '../../run/index.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'

/** An option of a plug-in, as its schema describes it. */
export interface OptionDoc {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly description: string
}

/** `gembench ls`: what a config can name, with options and defaults. */
export async function lsCommand(
  what: 'methods' | 'datasets' | 'scorers' | 'models',
  { json }: JsonFlag,
): Promise<void> {
  const items = (await menus[what].all()).map(({ name, summary, options }) => ({
    ...{ name, summary },
    options: optionDocs(options),
  }))
  if (json) {
    printJson(items)
    return
  }
  for (const { name, summary, options } of items) {
    print(`${pc.bold(name)}  ${summary}`)
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
