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

/** The registries. */
export type Listed = 'methods' | 'datasets' | 'scorers' | 'models'

/** An item of a registry. */
export interface ListedItem {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionDoc[]
  /** The official splits of a dataset, and whether its files are present. */
  readonly split?: string
  readonly status?: DatasetStatus
}

/**
 * Every item of a registry with its options. Options common to all items come last, with the defaults of the first
 * item.
 */
export async function itemsOf(kind: Listed): Promise<readonly ListedItem[]> {
  const items = (await menus[kind].all()).map(({ name, summary, options }) => ({
    name,
    summary,
    options: optionDocs(options),
  }))
  if (kind === 'datasets') return listedDatasets(items)
  const [first = [], ...rest] = items.map(({ options }) => options)
  const commonOptions = first.filter(({ name }) =>
    rest.every((options) => options.some((option) => option.name === name)),
  )
  if (commonOptions.length === 0) return items
  return [
    ...items.map((item) => ({ ...item, options: without(item.options, commonOptions) })),
    { name: `all ${kind}`, summary: 'Options that each of them has besides its own.', options: commonOptions },
  ]
}

const without = (options: readonly OptionDoc[], common: readonly OptionDoc[]): readonly OptionDoc[] =>
  options.filter(({ name }) => !common.some((option) => option.name === name))

/** `split` is a key of the section `dataset`; its values differ between datasets. */
async function listedDatasets(items: readonly ListedItem[]): Promise<readonly ListedItem[]> {
  const statuses = new Map((await datasetStatuses()).map((dataset) => [dataset.name, dataset]))
  const commonOptions = optionDocs(datasetSection.pick({ split: true, limit: true, onBadRecord: true }))
  return [
    ...items.map(({ options, ...item }) => {
      const split = options.find(({ name }) => name === 'split')
      const status = statuses.get(item.name)
      return {
        ...item,
        options: without(options, commonOptions),
        ...(split && { split: `${split.type}, by default ${split.default}` }),
        ...(status && { status }),
      }
    }),
    {
      name: 'all datasets',
      summary: 'Keys of the section `dataset` beside `path` and `options`.',
      options: commonOptions,
    },
  ]
}

/** The options of a schema, from its JSON schema, as in the reference and in editors. */
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
  if (either) return either.map((alternative) => typeOf(alternative)).join(' | ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as z.core.JSONSchema.JSONSchema)}`
  return String(schema.type ?? 'any')
}
