import { z } from 'zod'
import type { PlugInSpec, Registries } from './plug-ins.ts'
import { configSchema } from './schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

// the path of a plug-in
const pathPattern = '\\.(ts|js|mjs)$'

/** The JSON schema (draft 2020-12) of a config for editors, with the options of every plug-in in the registries. */
export async function configJsonSchema(registries: Omit<Registries, 'loadFile'>): Promise<JsonSchema> {
  const { $defs, ...schema } = z.toJSONSchema(configSchema, { io: 'input', override: removeSafeIntegerBounds })
  const [datasets, methods, scorers, models] = await Promise.all([
    registries.datasets.all(),
    registries.methods.all(),
    registries.scorers.all(),
    registries.models.all(),
  ])
  const modelsFor = (ability: 'complete' | 'embed' | 'rerank') => models.filter(({ can }) => can.includes(ability))
  return {
    ...schema,
    title: 'gembench experiment',
    $defs: {
      Dataset: withShortForm(entrySchema($defs?.Dataset, datasets), datasets),
      Method: entrySchema($defs?.Method, methods),
      Scorer: entrySchema($defs?.Scorer, scorers),
      CompleteModel: entrySchema($defs?.CompleteModel, modelsFor('complete')),
      EmbedModel: entrySchema($defs?.EmbedModel, modelsFor('embed')),
      RerankModel: entrySchema($defs?.RerankModel, modelsFor('rerank')),
    },
  }
}

/** The short form of the dataset `files`: its options beside `documents`. */
function withShortForm(dataset: JsonSchema, items: readonly PlugInSpec[]): JsonSchema {
  const files = items.find(({ name }) => name === 'files')
  if (!files) return dataset
  const { properties, ...options } = optionsOf(files)
  const documents = {
    type: 'string',
    minLength: 1,
    description: 'folder of your documents, relative to the config file; folders in it are read too',
  } as const
  const mapping = dataset.oneOf?.find((alternative) => alternative.properties !== undefined)
  const { limit = {}, onBadRecord = {} } = mapping?.properties ?? {}
  const shortForm = {
    ...options,
    properties: { documents, ...properties, limit, onBadRecord },
    required: ['documents'],
  }
  return { ...dataset, oneOf: [...(dataset.oneOf ?? []), shortForm] }
}

/** A name or the path of a plug-in's file, or a mapping with `use` and the options that go with it. */
function entrySchema(base: JsonSchema | undefined, items: readonly PlugInSpec[]): JsonSchema {
  const mappingForm = base?.anyOf?.find(({ properties }) => properties !== undefined)
  const nameForms = items.length === 0 ? [] : [{ enum: items.map(({ name }) => name) }]
  const itemForms = items.map((item) => withOptions(mappingForm, { const: item.name }, optionsOf(item)))
  const path = { type: 'string', pattern: pathPattern } as const
  const fileForms = [path, withOptions(mappingForm, path, undefined)]
  return { description: base?.description ?? '', oneOf: [...nameForms, ...itemForms, ...fileForms] }
}

function optionsOf(item: PlugInSpec): JsonSchema {
  const options = z.toJSONSchema(item.options, {
    io: 'input',
    unrepresentable: 'any',
    override: removeSafeIntegerBounds,
  })
  delete options.$schema
  return options
}

/** Removes the bounds of safe integers, which do not help in an editor. */
function removeSafeIntegerBounds({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** The options of a dataset are under `options`; those of other plug-ins are next to `use`. */
function withOptions(
  mappingForm: JsonSchema | undefined,
  use: JsonSchema,
  options: JsonSchema | undefined,
): JsonSchema {
  const properties = { ...mappingForm?.properties, use }
  if (mappingForm?.properties?.options !== undefined)
    return { ...mappingForm, properties: { ...properties, options: options ?? { type: 'object' } } }
  return {
    type: 'object',
    ...options,
    properties: { ...properties, ...options?.properties },
    required: ['use', ...(options?.required ?? [])],
  }
}
