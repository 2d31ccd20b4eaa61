import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  AutoConfig,
  AutoModel,
  AutoModelForCausalLM,
  AutoModelForSeq2SeqLM,
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  LogLevel,
  ModelFileNotFoundError,
  ModelRegistry,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  Tensor,
  InterruptableStoppingCriteria,
} from '@huggingface/transformers'
import { z } from 'zod'
import { messageOf, UserError, ModelError } from '../../../errors.ts'
import { answerChoice, answerQuestion } from '../../../tasks/answers.ts'
import { type Encoder, pad, type Row } from '../../onnx/embedder.ts'
import { lazyResource, messagesOf, replyLimit, type CompletionRequest, type Provider } from '../../provider.ts'
import type { TransformersOptions } from './options.ts'

/** A model with complete files and its tokenizer in memory. */
export interface LoadedModel {
  readonly job: Job
  readonly tokenizer: PreTrainedTokenizer
  /** Longest input in tokens of the model; Infinity if unlimited. */
  readonly window: number
  /** The model with its weights, loaded at first use. Throws UserError. */
  readonly load: () => Promise<PreTrainedModel>
  readonly close: () => Promise<void>
}

/** The use of a model: embeddings, scores of text pairs, an encoder with a decoder, or a decoder alone. */
type Job = keyof typeof classes

const classes = {
  'feature-extraction': AutoModel,
  'text-classification': AutoModelForSequenceClassification,
  'text2text-generation': AutoModelForSeq2SeqLM,
  'text-generation': AutoModelForCausalLM,
} as const

/** Finds a model in its folder or on the hub (stored in `cacheFolder`). Throws UserError naming what is missing. */
export async function openModel(options: TransformersOptions, cacheFolder: string): Promise<LoadedModel> {
  const folder = resolve(options.model)
  const source = existsSync(folder) ? folder : options.model
  const files = { local_files_only: options.offline }
  const { dtype } = options
  const explaining = async <T>(work: () => Promise<T>): Promise<T> => {
    // process-wide: the library ignores these as arguments when it loads tokenizers
    env.cacheDir = join(cacheFolder, 'transformers')
    env.allowRemoteModels = !options.offline
    env.logLevel = LogLevel.NONE
    try {
      return await work()
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError(`transformers: ${explain(error, source === folder, options)}`, { cause: error })
    }
  }
  return explaining(async () => {
    if (source === folder) checkFolder(folder)
    const config = await AutoConfig.from_pretrained(source, files)
    const shape = configShape.parse(config)
    const { max_position_embeddings, n_positions } = shape
    const job = jobOf(shape)
    for (const file of await ModelRegistry.get_model_files(source, { config, dtype }))
      if (file.startsWith('onnx/') && !(await ModelRegistry.get_file_metadata(source, file, files)).exists)
        throw new UserError(`transformers: ${missing(file, source === folder, options)}`)
    const tokenizer = await AutoTokenizer.from_pretrained(source, files)
    return {
      job,
      tokenizer,
      window: options.window ?? Math.min(limit.parse(tokenizer.model_max_length), max_position_embeddings, n_positions),
      ...lazyResource(
        () =>
          explaining(() =>
            classes[job].from_pretrained(source, { ...files, dtype, session_options: { logSeverityLevel: 3 } }),
          ),
        (model) => model.dispose(),
      ),
    }
  })
}

/** A limit of tokens; missing or 10³⁰: unlimited. */
const limit = z.int().min(1).catch(Infinity)

const configShape = z.object({
  is_encoder_decoder: z.boolean().catch(false),
  architectures: z.array(z.string()).catch([]),
  max_position_embeddings: limit,
  n_positions: limit,
})

function jobOf({ is_encoder_decoder, architectures }: z.infer<typeof configShape>): Job {
  if (is_encoder_decoder) return 'text2text-generation'
  if (architectures.some((name) => /SequenceClassification/.test(name))) return 'text-classification'
  return architectures.some((name) => /CausalLM|LMHead/.test(name)) ? 'text-generation' : 'feature-extraction'
}

/** The library's message about a missing tokenizer does not help. */
function checkFolder(folder: string): void {
  const missing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].find(
    (name) => !existsSync(join(folder, name)),
  )
  if (missing) throw new UserError(`transformers: ${folder} is not a model folder: it has no ${missing}`)
}

function missing(file: string, isFolder: boolean, { model, dtype, offline }: TransformersOptions): string {
  if (isFolder) return `${model} has no ${file}, which dtype "${dtype}" requires`
  if (offline)
    return `"${model}" is not a folder and is not completely downloaded; set offline: false on the model once to download it`
  return `"${model}" with dtype "${dtype}" was not found in a folder or on the hub; check model and dtype (${file})`
}

function explain(error: unknown, isFolder: boolean, options: TransformersOptions): string {
  const { model, offline } = options
  const message = messageOf(error)
  if (error instanceof ModelFileNotFoundError) return missing(message, isFolder, options)
  const cause = error instanceof Error && error.cause !== undefined ? `${message}: ${messageOf(error.cause)}` : message
  if (isFolder || offline) return `cannot open "${model}": ${cause}`
  return `cannot download "${model}" (${cause}); connect to the network once, or set model to a folder that contains the model`
}

const floats = z.object({ data: z.instanceof(Float32Array), dims: z.tuple([z.int(), z.int(), z.int()]) })
const outputs = z
  .object({ last_hidden_state: floats.optional(), token_embeddings: floats.optional() })
  .transform(({ last_hidden_state, token_embeddings }) => last_hidden_state ?? token_embeddings)
  .refine((states) => states !== undefined, 'the model has no output last_hidden_state, so it cannot embed texts')

/** An encoder that pools the token vectors of the last layer. */
export function encoderOf({ load, tokenizer }: LoadedModel, pooling: TransformersOptions['pooling']): Encoder {
  /** The last layer's token vectors of each row, without padding. */
  const tokensOf = async (rows: readonly Row[]): Promise<readonly Float32Array[][]> => {
    const { ids, mask, length } = pad(rows, tokenizer.pad_token_id)
    const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows.length, length])
    const model = await load()
    const { data, dims } = outputs.parse(await model({ input_ids: tensor(ids), attention_mask: tensor(mask) }))
    const width = dims[2]
    return rows.map((row, index) =>
      row.map((_, token) => {
        const start = (index * length + token) * width
        return data.slice(start, start + width)
      }),
    )
  }
  return {
    encode: (text) => tokenizer.encode(text),
    vectors: async (rows) => (await tokensOf(rows)).map((tokens) => pool(tokens, pooling)),
    tokenVectors: async (row) => (await tokensOf([row])).flat(),
  }
}

/** The unit vector of a text from its token vectors; sums in 64 bits, zero stays zero. */
export function pool(tokens: readonly Float32Array[], pooling: TransformersOptions['pooling']): Float32Array {
  const selection = { mean: tokens, cls: tokens.slice(0, 1), last: tokens.slice(-1) }[pooling]
  // the sum has the direction of the mean
  const sum = new Float64Array(selection[0]?.length ?? 0)
  for (const vector of selection) vector.forEach((value, axis) => (sum[axis] = (sum[axis] ?? 0) + value))
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0))
  return Float32Array.from(sum, (value) => (length > 0 ? value / length : value))
}

/** Greedy decoding: the same reply for every sample. */
export function completer(model: LoadedModel, options: TransformersOptions): NonNullable<Provider['complete']> {
  const { job, load, tokenizer, window } = model
  return async (request, signal) => {
    const prompt = promptIds(model, options, request)
    // a decoder shares the window between prompt and reply, an encoder reads the prompt only
    const room = job === 'text-generation' ? window - prompt.length : Infinity
    if (prompt.length > window || room < 1)
      throw new ModelError(
        'window',
        `${request.task}: the prompt has ${prompt.length} tokens, but ${options.model} reads at most ${window}`,
      )
    const maxTokens = Math.min(room, replyLimit(request, options.maxTokens))
    const output = await generate(await load(), prompt, maxTokens, signal)
    const reply = output.slice(job === 'text-generation' ? prompt.length : 1)
    const isFinished = reply.length < maxTokens || tokenizer.all_special_ids.includes(reply.at(-1) ?? -1)
    return {
      text: reply.length === 0 ? '' : tokenizer.decode(reply, { skip_special_tokens: true }),
      finish: isFinished ? 'stop' : 'length',
      promptTokens: prompt.length,
      completionTokens: reply.length,
    }
  }
}

function promptIds(
  { tokenizer }: LoadedModel,
  { format }: TransformersOptions,
  request: CompletionRequest,
): readonly number[] {
  const input = format === 'unifiedqa' ? unifiedqaInput(request) : undefined
  if (input !== undefined) return tokenizer.encode(input)
  const messages = messagesOf(request)
  if (!tokenizer.chat_template) return tokenizer.encode(messages.map(({ content }) => content).join('\n\n'))
  const text = tokenizer.apply_chat_template([...messages], { tokenize: false, add_generation_prompt: true })
  return tokenizer.encode(text, { add_special_tokens: false })
}

async function generate(model: PreTrainedModel, prompt: readonly number[], maxTokens: number, signal: AbortSignal) {
  const stop = new InterruptableStoppingCriteria()
  const interrupt = () => stop.interrupt()
  const tensor = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
  signal.throwIfAborted()
  signal.addEventListener('abort', interrupt)
  try {
    const output = await model.generate({
      input_ids: tensor(prompt),
      attention_mask: tensor(prompt.map(() => 1)),
      max_new_tokens: maxTokens,
      do_sample: false,
      stopping_criteria: stop,
    })
    signal.throwIfAborted()
    return Array.from((output as Tensor).data as BigInt64Array, Number)
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

const questionInput = z.object({ question: z.string(), context: z.string() })
const askedWithOptions = questionInput.extend({ options: z.array(z.string()) })

/** UnifiedQA's separator: a backslash and an n, not a line break. */
const separator = String.raw` \n `

/**
 * UnifiedQA's input format (Khashabi et al. 2020, section 3.2): lower-cased, `question \n (a) one (b) two \n context`
 * for a choice, `question \n context` for a free answer. Undefined for other tasks.
 */
export function unifiedqaInput({ task, input }: Pick<CompletionRequest, 'task' | 'input'>): string | undefined {
  switch (task) {
    case answerChoice.name: {
      const { question, options, context } = askedWithOptions.parse(input)
      return joinParts([
        question,
        options.map((option, index) => `(${String.fromCharCode(97 + index)}) ${option}`).join(' '),
        context,
      ])
    }
    case answerQuestion.name: {
      const { question, context } = questionInput.parse(input)
      return joinParts([question, context])
    }
    default:
      return undefined
  }
}

/** Leaves out empty parts: a closed book has no context. */
const joinParts = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((part) => part !== '')
    .join(separator)
