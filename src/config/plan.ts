import type { ByRole } from '../basics/roles.ts'
import type { ZodType } from 'zod'
import type { Registry } from '../basics/loading.ts'
import type { CompareRecord, VariedValue } from '../records.ts'
import type { AnswersWanted, Budget, OnBadRecord, PromptTemplates } from '../types.ts'
import type { Config } from './schema.ts'
import type { PlannedTraining } from './schema-parts.ts'

/** A plug-in as the config room knows it: what it is called and what it takes. */
export interface PlugInSpec {
  readonly name: string
  readonly options: ZodType
  /** Of a method that asks those which its option `of` lists. */
  readonly over?: unknown
  /** Of a method: the options that all variants of a row share. */
  shares?(variants: readonly unknown[]): object
  /** Of a kind of model: what it can do. */
  readonly can?: readonly ('complete' | 'embed' | 'embedTokens' | 'rerank')[]
}

/** A kind of model. */
export type ModelSpec = PlugInSpec & Required<Pick<PlugInSpec, 'can'>>

type Objects<T> = ReadonlyMap<string, { readonly item: T }>

export interface PlugInObjectSpecs {
  readonly datasets: Objects<PlugInSpec>
  readonly methods: Objects<PlugInSpec>
  readonly scorers: Objects<PlugInSpec>
  readonly models: Objects<ModelSpec>
}

/** The names that a config may use. */
export interface Registries {
  readonly datasets: Registry<PlugInSpec>
  readonly methods: Registry<PlugInSpec>
  readonly scorers: Registry<PlugInSpec>
  readonly models: Registry<ModelSpec>
  /** Plug-ins that stand in the config as themselves, by the names that stand for them there. */
  readonly objects?: PlugInObjectSpecs
  readonly prompts: PromptRegistry
  /** The plug-in that a file exports; `file` is absolute. Throws UserError when it exports none. */
  loadFile(kind: 'method' | 'scorer' | 'dataset', file: string): Promise<PlugInSpec & { readonly file: string }>
}

/** The tasks whose prompts a config may give, the fields of their inputs, and the folder of the named sets. */
export interface PromptRegistry {
  readonly tasks: readonly {
    readonly name: string
    readonly fields: readonly string[]
    /** Those that a prompt must name. */
    readonly requiredFields: readonly string[]
  }[]
  readonly folder: string
}

/** What a command line adds to the config files. */
export interface ReadSettings {
  /** `a.b=c`, in order; the value is YAML. */
  readonly set?: readonly string[]
  readonly methods?: readonly string[]
  readonly limit?: number
  /** Where relative paths of the command line start from. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A plug-in to use: its name, its parsed options, and the options as they may be written to disk. */
export interface PlannedItem {
  readonly use: string
  readonly options: unknown
  /** As written, defaults added: `${NAME}` stays so, keys typed in are hidden. */
  readonly record: Readonly<Record<string, unknown>>
  /** The name that stands for it in the config, where it is an object of the program. */
  readonly object?: string
}

/** `file`: the absolute path of a plug-in's file. */
export interface PlannedPlugIn extends PlannedItem {
  readonly file?: string
  /** The methods that its option `of` lists, each with the place where it stands. */
  readonly of?: readonly (PlannedPlugIn & { readonly at: string })[]
}

/** A row of the tables to be. `variant` is empty, or names what is varied: `chunks.size=100, components=2`. */
export interface PlannedMethod extends PlannedPlugIn {
  readonly label: string
  readonly variant: string
  readonly variedValues: readonly VariedValue[]
  /** Where it is another one than the plan's. */
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

/** How rows are compared. `shown` is the metric's name as written, `at` where. */
export interface PlannedCompare extends Omit<CompareRecord, 'metric'> {
  readonly metric?: { readonly name: string; readonly sourceName: string; readonly at: string }
}

/** An experiment, checked: everything that a run needs to know. */
export interface Plan extends Readonly<Pick<Config, 'name' | 'chunks' | 'limits' | 'seed' | 'concurrency'>> {
  readonly dataset: PlannedDataset
  readonly budget: Budget
  /** Present where the config does not say how many passages. */
  readonly usesDefaultPassages?: true
  /** How free answers are asked for, where it is not left to the dataset. */
  readonly answers?: AnswersWanted
  readonly models: ByRole<PlannedItem>
  readonly prompts: PromptTemplates
  /** The keys of the config that are varied, with their values in this run; empty where the config is one run. */
  readonly variedValues: readonly VariedValue[]
  readonly methods: readonly PlannedMethod[]
  /** Absent: those that suit the questions. */
  readonly scorers?: readonly PlannedScorer[]
  readonly compare?: PlannedCompare
  readonly repeats: number
  /** Whether each repeat asks an index of its own, where the index depends on random numbers. */
  readonly indexPerRepeat: boolean
  readonly judgeRuns: number
  readonly train: PlannedTraining
  /** Labels kept by `--methods`; null: all. */
  readonly selectedLabels: readonly string[] | null
  /** The config with its defaults, as it may be written to disk; itself a config. */
  readonly record: Readonly<Record<string, unknown>>
  readonly sources: readonly string[]
}
