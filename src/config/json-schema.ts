import { z } from 'zod'
import type { MenuItem, Menus } from './plan.ts'
import { configSchema } from './schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

// a plug-in's file
const pathPattern = '\\.(ts|js|mjs)$'

/** The JSON schema (draft 2020-12) of a config for editors, with the options of every plug-in on the menus. */
export async function configJsonSchema(menus: Omit<Menus, 'loadFile'>): Promise<JsonSchema> {
  const { $defs, ...schema } = z.toJSONSchema(configSchema, { io: 'input', override: withoutNoise })
  const [datasets, methods, scorers, models] = await Promise.all([
    menus.datasets.all(),
    menus.methods.all(),
    menus.scorers.all(),
    menus.models.all(),
  ])
  const able = (ability: 'complete' | 'embed' | 'rerank') => models.filter(({ can }) => can.includes(ability))
  return {
    ...schema,
    title: 'gembench experiment',
    $defs: {
      Dataset: withOwnData(entry($defs?.Dataset, datasets, true), datasets),
      Method: entry($defs?.Method, methods, true),
      Scorer: entry($defs?.Scorer, scorers, true),
      CompleteModel: entry($defs?.CompleteModel, able('complete'), false),
      EmbedModel: entry($defs?.EmbedModel, able('embed'), false),
      RerankModel: entry($defs?.RerankModel, able('rerank'), false),
    },
  }
}

/** The short form of the dataset `files`: its options beside `documents`. */
function withOwnData(dataset: JsonSchema, menu: readonly MenuItem[]): JsonSchema {
  const files = menu.find(({ name }) => name === 'files')
  if (!files) return dataset
  const { properties, ...options } = optionsOf(files)
  const documents = {
    type: 'string',
    minLength: 1,
    description: 'folder of your documents, relative to the config file; folders in it are read too',
  } as const
  const named = dataset.oneOf?.find((one) => one.properties !== undefined)
  const { limit = {}, onBadRecord = {} } = named?.properties ?? {}
  const own = { ...options, properties: { documents, ...properties, limit, onBadRecord }, required: ['documents'] }
  return { ...dataset, oneOf: [...(dataset.oneOf ?? []), own] }
}

/** A name, or a mapping with `use` and the options that go with it; with `files`, also the path of a plug-in's file. */
function entry(base: JsonSchema | undefined, menu: readonly MenuItem[], files: boolean): JsonSchema {
  const own = base?.anyOf?.find(({ properties }) => properties !== undefined)
  const short = menu.length === 0 ? [] : [{ enum: menu.map(({ name }) => name) }]
  const named = menu.map((item) => withOptions(own, { const: item.name }, optionsOf(item)))
  const path = { type: 'string', pattern: pathPattern } as const
  const strange = files ? [path, withOptions(own, path, undefined)] : []
  return { description: base?.description ?? '', oneOf: [...short, ...named, ...strange] }
}

function optionsOf(item: MenuItem): JsonSchema {
  const options = z.toJSONSchema(item.options, {
    io: 'input',
    unrepresentable: 'any',
    override: withoutNoise,
  })
  delete options.$schema
  return options
}

/** The bounds of every whole number tell an editor nothing. */
function withoutNoise({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** A dataset keeps its options under `options`; elsewhere they stand beside `use`. */
function withOptions(own: JsonSchema | undefined, use: JsonSchema, options: JsonSchema | undefined): JsonSchema {
  const beside = { ...own?.properties, use }
  if (own?.properties?.options !== undefined)
    return { ...own, properties: { ...beside, options: options ?? { type: 'object' } } }
  return {
    type: 'object',
    ...options,
    properties: { ...beside, ...options?.properties },
    required: ['use', ...(options?.required ?? [])],
  }
}
