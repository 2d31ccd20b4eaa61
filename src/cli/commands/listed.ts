import { z } from 'zod'
import { datasetSection } from '../../config/index.ts'
import { datasetStatuses, menus, type DatasetStatus } from '../../run/index.ts'

/** An option of a plug-in, as its schema describes it. */
interface OptionDoc {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly description: string
}

/** What can be listed. */
export type Listed = 'methods' | 'datasets' | 'scorers' | 'models'

/** An item of a menu. */
export interface ListedItem {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionDoc[]
  /** Of a dataset: its official parts, and whether its files are present. */
  readonly split?: string
  readonly status?: DatasetStatus
}

/**
 * Every item of a menu with its options; of a dataset, whether its files are present. What all items have in common
 * comes last, once: options with the defaults of the first item, keys of the section `dataset`.
 */
export async function itemsOf(what: Listed): Promise<readonly ListedItem[]> {
  const items = (await menus[what].all()).map(({ name, summary, options }) => ({
    name,
    summary,
    options: optionDocs(options),
  }))
  if (what === 'datasets') return listedDatasets(items)
  const [first = [], ...rest] = items.map(({ options }) => options)
  const shared = first.filter(({ name }) => rest.every((options) => options.some((option) => option.name === name)))
  if (shared.length === 0) return items
  return [
    ...items.map((item) => ({ ...item, options: without(item.options, shared) })),
    { name: `all ${what}`, summary: 'Options that each of them has besides its own.', options: shared },
  ]
}

const without = (options: readonly OptionDoc[], shared: readonly OptionDoc[]): readonly OptionDoc[] =>
  options.filter(({ name }) => !shared.some((option) => option.name === name))

/** `split` is a key of the section, of which each dataset says what it may be. */
async function listedDatasets(items: readonly ListedItem[]): Promise<readonly ListedItem[]> {
  const statuses = new Map((await datasetStatuses()).map((one) => [one.name, one]))
  const shared = optionDocs(datasetSection.pick({ split: true, limit: true, onBadRecord: true }))
  return [
    ...items.map(({ options, ...item }) => {
      const split = options.find(({ name }) => name === 'split')
      const status = statuses.get(item.name)
      return {
        ...item,
        options: without(options, shared),
        ...(split && { split: `${split.type}, by default ${split.default}` }),
        ...(status && { status }),
      }
    }),
    { name: 'all datasets', summary: 'Keys of the section `dataset` beside `path` and `options`.', options: shared },
  ]
}

/** The options of a schema, from its JSON schema: the same source as the docs and the editor's completion. */
function optionDocs(options: z.ZodType): readonly OptionDoc[] {
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
