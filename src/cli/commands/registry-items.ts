import { z } from 'zod'
import { datasetSection } from '../../config/index.ts'
import { datasetStatuses, registries, type DatasetStatus } from '../../run/index.ts'

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
  /** The paper, address or licence. */
  readonly source?: string
  readonly options: readonly OptionDoc[]
  /** The official splits of a dataset, and whether its files are present. */
  readonly split?: string
  readonly status?: DatasetStatus
}

/**
 * Every item of a registry with its options. Options common to all items come last: for datasets the keys of the
 * section `dataset`, for others those that each item has, with the defaults of the first one.
 */
export async function itemsOf(kind: Listed): Promise<readonly ListedItem[]> {
  const registryItems = await registries[kind].all()
  const all = registryItems.map((item) => ({ item, options: optionDocs(item.options) }))
  const [first, ...rest] = all
  const intersection = first?.options.filter(({ name }) =>
    rest.every(({ options }) => options.some((option) => option.name === name)),
  )
  const isData = kind === 'datasets'
  const commonOptions = (isData ? optionDocs(sectionKeys) : intersection) ?? []
  const statuses = new Map((isData ? await datasetStatuses() : []).map((status) => [status.name, status]))
  const items = all.map(({ item, options }): ListedItem => {
    const split = isData ? options.find(({ name }) => name === 'split') : undefined
    const status = statuses.get(item.name)
    return {
      name: item.name,
      summary: item.summary,
      ...sourceOf(item),
      options: options.filter(({ name }) => !commonOptions.some((option) => option.name === name)),
      ...(split && { split: `${split.type}, by default ${split.default}` }),
      ...(status && { status }),
    }
  })
  if (commonOptions.length === 0) return items
  const summary = isData
    ? 'Keys of the section `dataset` beside `path` and `options`.'
    : 'Options that each of them has besides its own.'
  return [...items, { name: `all ${kind}`, summary, options: commonOptions }]
}

const sectionKeys = datasetSection.pick({ limit: true, onBadRecord: true })

function sourceOf(item: { name: string; paper?: string; source?: string; licence?: string }): { source?: string } {
  const parts = [item.paper ?? item.source, item.licence].filter((part) => part !== undefined)
  return parts.length === 0 ? {} : { source: [...new Set(parts)].join('; ') }
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
