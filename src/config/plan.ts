import type { ByRole } from '../basics/roles.ts'
import type { ZodType } from 'zod'
import type { Registry } from '../basics/loading.ts'
import type { CompareRecord, VariedValue } from '../records.ts'
import type { AnswersWanted, Budget, OnBadRecord, PromptTemplates } from '../types.ts'
import type { Config } from './schema.ts'
import type { PlannedTraining } from './schema-parts.ts'

/** The name and options of a plug-in, as far as a config needs them. */
export interface PlugInSpec {
  readonly name: string
  readonly options: ZodType
  /** Set for a method that wraps the methods of its option `of`. */
  readonly over?: unknown
  /** For a method: the options that all variants of a row share. */
  shares?(variants: readonly unknown[]): object
  /** For a provider: its abilities. */
  readonly can?: readonly ('complete' | 'embed' | 'embedTokens' | 'rerank')[]
}

/** A model provider. */
export type ModelSpec = PlugInSpec & Required<Pick<PlugInSpec, 'can'>>

type Objects<T> = ReadonlyMap<string, { readonly item: T }>

export interface PlugInObjectSpecs {
  readonly datasets: Objects<PlugInSpec>
  readonly methods: Objects<PlugInSpec>
  readonly scorers: Objects<PlugInSpec>
  readonly models: Objects<ModelSpec>
}

/** The kinds of plug-ins that a config names. */
export type PlugInKind = 'method' | 'scorer' | 'dataset' | 'model'

/** The plug-ins that a config may name. */
export interface Registries {
  readonly datasets: Registry<PlugInSpec>
  readonly methods: Registry<PlugInSpec>
  readonly scorers: Registry<PlugInSpec>
  readonly models: Registry<ModelSpec>
  /** Plug-ins that a program passes as objects, by their placeholder names in the config. */
  readonly objects?: PlugInObjectSpecs
  readonly prompts: PromptRegistry
  /** The plug-in that a file exports; `file` is absolute. Throws UserError when it exports none. */
  loadFile(kind: PlugInKind, file: string): Promise<PlugInSpec & { readonly file: string }>
}

/** The tasks whose prompts a config may give, the fields of their inputs, and the folder of the named sets. */
export interface PromptRegistry {
  readonly tasks: readonly {
    readonly name: string
    readonly fields: readonly string[]
    /** Fields that a prompt must contain. */
    readonly requiredFields: readonly string[]
  }[]
  readonly folder: string
}

/** Changes of the command line to the config files. */
export interface ReadSettings {
  /** `a.b=c`, in order; the value is YAML. */
  readonly set?: readonly string[]
  readonly methods?: readonly string[]
  readonly limit?: number
  /** The base of relative paths of the command line. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A plug-in: its name, its parsed options, and the options as they may be written to disk. */
export interface PlannedItem {
  readonly use: string
  readonly options: unknown
  /** As in the config, with defaults: `${NAME}` is not expanded, literal keys are hidden. */
  readonly record: Readonly<Record<string, unknown>>
  /** Its placeholder name in the config, if a program passed it as an object. */
  readonly object?: string
}

/** `file`: the absolute path of a plug-in's file. */
export interface PlannedPlugIn extends PlannedItem {
  readonly file?: string
  /** The methods that its option `of` lists, with their places. */
  readonly of?: readonly (PlannedPlugIn & { readonly at: string })[]
}

/** A row of the table. `variant` lists the varied values: `chunks.size=100, components=2`; empty without any. */
export interface PlannedMethod extends PlannedPlugIn {
  readonly label: string
  readonly variant: string
  readonly variedValues: readonly VariedValue[]
  /** Absent if it is the budget of the plan. */
  readonly budget?: Budget
}

export interface PlannedScorer extends PlannedPlugIn {
  readonly label: string
}

/** `path` is absolute; `limit` bounds the questions asked. */
export interface PlannedDataset extends PlannedPlugIn {
  readonly path?: string
  readonly limit?: number
  readonly onBadRecord?: OnBadRecord
}

export type PlannedChunks = Readonly<Config['chunks']>

export type Limits = Readonly<Config['limits']>

/** The comparison of rows. `sourceName` is the metric as written, `at` its place. */
export interface PlannedCompare extends Omit<CompareRecord, 'metric'> {
  readonly metric?: { readonly name: string; readonly sourceName: string; readonly at: string }
}

/** A validated experiment: everything that a run needs. */
export interface Plan extends Readonly<Pick<Config, 'name' | 'chunks' | 'limits' | 'seed' | 'concurrency'>> {
  readonly dataset: PlannedDataset
  readonly budget: Budget
  /** Present if the config does not set `budget.passages`. */
  readonly usesDefaultPassages?: true
  /** The form of free answers; absent if the dataset decides. */
  readonly answers?: AnswersWanted
  readonly models: ByRole<PlannedPlugIn>
  readonly prompts: PromptTemplates
  /** The varied keys of the config with their values in this run; empty for a config of one run. */
  readonly variedValues: readonly VariedValue[]
  readonly methods: readonly PlannedMethod[]
  /** Absent: the defaults for the kinds of the questions. */
  readonly scorers?: readonly PlannedScorer[]
  readonly compare?: PlannedCompare
  readonly repeats: number
  /** Whether each repeat builds its own index if the index depends on random numbers. */
  readonly indexPerRepeat: boolean
  readonly judgeRuns: number
  readonly train: PlannedTraining
  /** Labels selected by `--methods`; null: all. */
  readonly selectedLabels: readonly string[] | null
  /** The config with its defaults, as written to the manifest; itself a valid config. */
  readonly record: Readonly<Record<string, unknown>>
  readonly sources: readonly string[]
}
