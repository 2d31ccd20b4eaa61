import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import {
  AutoConfig,
  AutoModel,
  AutoModelForCausalLM,
  AutoModelForSeq2SeqLM,
  AutoTokenizer,
  env,
  LogLevel,
  ModelFileNotFoundError,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers'
import { z } from 'zod'
import { messageOf, UserError } from '../../../errors.ts'
import type { Job, TransformersOptions } from './options.ts'

/** A model in memory with its tokenizer. */
export interface Loaded {
  readonly job: Job
  readonly model: PreTrainedModel
  readonly tokenizer: PreTrainedTokenizer
  /** Longest input in tokens of the model; Infinity where nothing limits it. */
  readonly window: number
}

const classes = {
  'feature-extraction': AutoModel,
  'text2text-generation': AutoModelForSeq2SeqLM,
  'text-generation': AutoModelForCausalLM,
} as const

/** Loads a model from its folder or the hub (kept in `cacheFolder`). Throws UserError saying what is missing. */
export async function load(options: TransformersOptions, cacheFolder: string): Promise<Loaded> {
  const folder = resolve(options.model)
  const source = existsSync(folder) ? folder : options.model
  // for the whole process: the library finds tokenizers by these, whatever is said with the call
  env.cacheDir = join(cacheFolder, 'transformers')
  env.allowRemoteModels = !options.offline
  env.logLevel = LogLevel.NONE
  try {
    if (source === folder) checkFolder(folder)
    return await loadFrom(source, options)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`transformers: ${explained(error, source === folder, options)}`, { cause: error })
  }
}

async function loadFrom(source: string, options: TransformersOptions): Promise<Loaded> {
  const files = { local_files_only: options.offline }
  const config = configShape.parse(await AutoConfig.from_pretrained(source, files))
  const job = options.task === 'auto' ? jobOf(config) : options.task
  const [tokenizer, model] = await Promise.all([
    AutoTokenizer.from_pretrained(source, files),
    classes[job].from_pretrained(source, {
      ...files,
      dtype: options.dtype,
      session_options: { intraOpNumThreads: options.threads, logSeverityLevel: 3 },
    }),
  ])
  const known = Math.min(limit.parse(tokenizer.model_max_length), config.max_position_embeddings, config.n_positions)
  return { job, model, tokenizer, window: options.window ?? known }
}

/** Of tokens. One that is not named, or named as 10³⁰, is none. */
const limit = z.int().min(1).catch(Infinity)

/** What is read of config.json. */
const configShape = z.object({
  is_encoder_decoder: z.boolean().catch(false),
  architectures: z.array(z.string()).catch([]),
  max_position_embeddings: limit,
  n_positions: limit,
})

function jobOf({ is_encoder_decoder, architectures }: z.infer<typeof configShape>): Job {
  if (is_encoder_decoder) return 'text2text-generation'
  return architectures.some((name) => /CausalLM|LMHead/.test(name)) ? 'text-generation' : 'feature-extraction'
}

/** The library says of a missing tokenizer nothing that helps. */
function checkFolder(folder: string): void {
  const missing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].find(
    (name) => !existsSync(join(folder, name)),
  )
  if (missing) throw new UserError(`transformers: ${folder} is not a model folder: it has no ${missing}`)
}

function explained(error: unknown, isFolder: boolean, { model, dtype, offline }: TransformersOptions): string {
  const message = messageOf(error)
  if (error instanceof ModelFileNotFoundError) {
    const file = /"([^"]+)"/.exec(message)?.[1] ?? 'a file'
    if (isFolder) return `${model} has no ${relative(resolve(model), file)}, which dtype "${dtype}" requires`
    if (offline)
      return `"${model}" is not a folder and is not completely downloaded; set offline: false on the model once to download it`
    return `"${model}" with dtype "${dtype}" was not found in a folder or on the hub; check model and dtype (${message})`
  }
  const cause = error instanceof Error && error.cause !== undefined ? `${message}: ${messageOf(error.cause)}` : message
  if (isFolder || offline) return `cannot open "${model}": ${cause}`
  return `cannot download "${model}" (${cause}); connect to the network once, or set model to a folder that contains the model`
}
