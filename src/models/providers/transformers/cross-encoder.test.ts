import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onnxModel } from '../minilm/bert-graph.ts'
import { transformers } from './transformers.ts'
import type { Provider } from '../../provider.ts'

const signal = new AbortController().signal
const words = ['[PAD]', '[CLS]', '[SEP]', '[UNK]', 'mill', 'oats', 'rye']
/** What each word of a text adds to its score; words of the question add nothing. */
const worth = [0, 0, 0, 0, 1, 2, 4]

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cross-encoder-'))
})
afterAll(() => rm(root, { recursive: true }))

/** Small whole numbers as 16-bit floats. */
const halves = (values: readonly number[]): Uint8Array =>
  new Uint8Array(Uint16Array.from(values, (value) => ({ 0: 0, 1: 0x3c00, 2: 0x4000, 4: 0x4400 })[value] ?? NaN).buffer)

/** A model that adds up the worth of the tokens of type 1; with two labels the first has none. */
async function write(name: string, labels: 1 | 2 | 3): Promise<string> {
  const table = halves(worth.flatMap((value) => [...Array<number>(labels - 1).fill(0), value]))
  const place = { dtype: 'F16', shape: [words.length, labels], offset: 0, bytes: table.length }
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
  const files: Readonly<Record<string, Uint8Array | object>> = {
    'config.json': { model_type: 'bert', architectures: ['BertForSequenceClassification'] },
    'tokenizer_config.json': { tokenizer_class: 'BertTokenizer', pad_token: '[PAD]', model_max_length: 8 },
    'tokenizer.json': {
      added_tokens: words.slice(0, 4).map((content, id) => ({ id, content, special: true, normalized: false })),
      normalizer: null,
      pre_tokenizer: { type: 'WhitespaceSplit' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0)],
        pair: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0), text('B', 1), special('[SEP]', 1)],
        special_tokens: Object.fromEntries(
          ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [words.indexOf(id)], tokens: [id] }]),
        ),
      },
      decoder: null,
      model: {
        type: 'WordLevel',
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
        unk_token: '[UNK]',
      },
    },
    'onnx/model.onnx': model.encode(),
    'onnx/weights': table,
  }
  const folder = join(root, name)
  await mkdir(join(folder, 'onnx'), { recursive: true })
  for (const [file, content] of Object.entries(files))
    await writeFile(join(folder, file), content instanceof Uint8Array ? content : JSON.stringify(content))
  return folder
}

const open = async (labels: 1 | 2 | 3) =>
  (await transformers.open(
    transformers.options.parse({ offline: true, model: await write(`labels-${labels}`, labels) }),
    {
      cacheFolder: join(root, 'cache'),
    },
  )) as Provider & Required<Pick<Provider, 'rerank'>>

const texts = ['mill', 'rye oats', '', 'oats', 'rye rye rye rye rye rye']

test.each([1, 2] as const)('a model with %i labels scores pairs of question and text', async (labels) => {
  const provider = await open(labels)
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
  await provider.close?.()
})

test('a model of three labels is no cross-encoder', async () => {
  const provider = await open(3)
  await expect(provider.rerank('mill', ['rye'], signal)).rejects.toThrow('the model has 3 labels')
  await provider.close?.()
})
