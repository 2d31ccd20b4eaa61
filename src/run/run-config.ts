import type { ConfigInput } from '../config/index.ts'
import type { DatasetName, DatasetOptions, PlainData } from '../datasets/index.ts'
import type { MethodName, MethodOptions } from '../methods/index.ts'
import type { ProviderKind } from '../models/index.ts'
import type { ProviderName, ProviderOptions } from '../models/providers/index.ts'
import type { ScorerName, ScorerOptions } from '../scorers/index.ts'
import type { Dataset, Method, OnBadRecord, Scorer } from '../types.ts'

/** The path of a file that exports a plug-in, from the working folder. */
export type PlugInFile = `${string}.ts` | `${string}.js` | `${string}.mjs`

/** Options of a plug-in, validated when the config is read. */
type AnyOptions = Readonly<Record<string, unknown>>

interface DatasetKeys {
  /** File or folder of the dataset; default: where `gembench data get` puts it. */
  readonly path?: string
  /** Asks the first questions only. */
  readonly limit?: number
  /** What is done with a record that cannot be read: the file is refused (stop, the default), or it is left out. */
  readonly onBadRecord?: OnBadRecord
}

/**
 * A dataset: a name, a file or an object that is one; the same with options; documents and questions as lists; or the
 * folder of the documents, with the options of the dataset `files`.
 */
export type DatasetSetting =
  | DatasetName
  | PlugInFile
  | Dataset
  | {
      [N in DatasetName]: DatasetKeys & {
        readonly use: N
        readonly options?: DatasetOptions<N>
      }
    }[DatasetName]
  | (DatasetKeys & { readonly use: PlugInFile | Dataset; readonly options?: AnyOptions })
  | (PlainData & Pick<DatasetKeys, 'limit'>)
  | ({ readonly documents: string } & Pick<DatasetKeys, 'limit' | 'onBadRecord'> & DatasetOptions<'files'>)

/** Options beside other keys; those of an item without options would forbid other keys. */
type Beside<O> = O extends Readonly<Record<string, never>> ? unknown : O

/** What a config names by itself or as `use`; `Options` has the options of built-in items by name. */
type Setting<Item, Options, Keys = unknown> =
  | keyof Options
  | PlugInFile
  | Item
  | { [N in keyof Options]: Keys & { readonly use: N } & Beside<Options[N]> }[keyof Options]
  | (Keys & { readonly use: PlugInFile | Item } & AnyOptions)

interface Labelled {
  /** Name in the tables; default: its own name. */
  readonly label?: string
}

interface MethodKeys extends Labelled {
  /** The methods that it asks, or the only one. */
  readonly of?: MethodSetting | readonly MethodSetting[]
}

/** A method: a name, a file or an object that is one; or the same as `use`, with a label and options. */
export type MethodSetting = Setting<Method, { [N in MethodName]: Omit<MethodOptions<N>, 'of'> }, MethodKeys>

/** A scorer, as a method. */
export type ScorerSetting = Setting<Scorer, { [N in ScorerName]: ScorerOptions<N> }, Labelled>

/** A model: the name of its kind, a file or an object that is one; or the same as `use`, with options. */
export type ModelSetting = Setting<ProviderKind, { [N in ProviderName]: ProviderOptions<N> }>

/** The models of a run; the default of `answer` and `judge` is the complete model. */
export interface ModelSettings {
  readonly complete?: ModelSetting
  readonly answer?: ModelSetting
  readonly embed?: ModelSetting
  readonly judge?: ModelSetting
}

/** What a config file holds, with objects where names may stand. `configs/reference/` has the defaults. */
export interface RunConfig extends Omit<
  ConfigInput,
  '$schema' | 'name' | 'dataset' | 'methods' | 'scorers' | 'models' | 'vary'
> {
  /** Name of the experiment and of its results folder; default: that of the dataset. */
  readonly name?: string
  readonly dataset: DatasetSetting
  readonly methods: readonly MethodSetting[]
  /** Default: those that fit the kinds of the questions. */
  readonly scorers?: readonly ScorerSetting[]
  readonly models?: ModelSettings
  /** `method.option`, `label.option` or a key of the config, each with its values. */
  readonly vary?: Readonly<Record<string, readonly unknown[]>>
}
