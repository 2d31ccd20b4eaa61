import { chunk } from '../chunking/index.ts'
import { locator, type Locator } from '../run/asking/evidence.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Budget, Chunk, Document, Query } from '../types.ts'

/** A corpus that every method must bear, in chunks. */
export interface MethodInput {
  readonly corpus: string
  readonly chunks: readonly Chunk[]
  readonly locate: Locator
}

/** The widest of the budgets that methods are asked with. */
export const wide: Budget = { passages: 20, tokens: 4000 }

export const budgets: readonly Budget[] = [{ passages: 1, tokens: 50 }, { passages: 3, tokens: 400 }, wide]

/** The questions that every method is asked of every corpus. */
export const queries: readonly Query[] = [
  { id: 'plain', text: 'Who kept the lighthouse at Orrin?' },
  { id: 'two hops', text: 'Where did the brother of Ada Vale ring the bell?', options: ['Orrin', 'Lisk'] },
  { id: 'history', text: 'And then?', history: [{ speaker: 'Ada', text: 'The lamp broke.' }] },
  { id: 'no shared word', text: 'zyx wvu' },
  { id: 'empty', text: '' },
  { id: 'other script', text: '谁看守灯塔？' },
  { id: 'long', text: 'lighthouse '.repeat(500) },
]

/** The corpora, each with its chunks in order and in reverse. */
export const methodInputs = (): readonly MethodInput[] =>
  Object.entries(corpora).flatMap(([corpus, documents]) => {
    const chunks = chunksOf(documents)
    const locate = locator({ id: corpus, documents, questions: [] }, chunks)
    const reversed = { corpus: `${corpus}, in reverse order`, chunks: chunks.toReversed(), locate }
    return chunks.length > 1 ? [{ corpus, chunks, locate }, reversed] : [{ corpus, chunks, locate }]
  })

/** A quotation, one that is found nowhere, and a whole document. */
export const evidenceIn = ([first]: readonly Chunk[]): NonNullable<Query['evidence']> =>
  first
    ? [
        { documentId: first.documentId, text: first.text.slice(0, 10) },
        { documentId: first.documentId, text: 'words that stand nowhere' },
        { documentId: first.documentId },
      ]
    : []

const paragraph =
  'Ada Vale kept the lighthouse at Orrin. Her brother Edric Sloe rang the bell when the lamp broke in 1903. ' +
  'In Harrowgate, Maud Sloe baked rye bread and wrote letters to Ada Vale.'

const corpora: Readonly<Record<string, readonly Document[]>> = {
  'no chunk': [],
  'one chunk': [{ id: 'one', text: 'Ada Vale kept the lighthouse.' }],
  'two chunks': [
    { id: 'a', text: 'Ada Vale kept the lighthouse.' },
    { id: 'b', text: 'Edric Sloe rang the bell.' },
  ],
  'equal chunks': Array.from({ length: 5 }, (_, i) => ({ id: `copy ${i}`, text: 'Ada Vale kept the lighthouse.' })),
  'chunks without words': [
    { id: 'signs', text: '… — !!! ### ' },
    { id: 'dot', text: '.' },
  ],
  'other scripts': [
    { id: 'zh', text: '灯塔由艾达看守。她的弟弟敲钟。面包店在哈罗盖特。' },
    { id: 'ar', text: 'كانت آدا تحرس المنارة. وكان أخوها يدق الجرس.' },
    { id: 'hi', text: 'आदा ने प्रकाशस्तंभ की रखवाली की। 🏳️‍🌈👩‍👩‍👧' },
  ],
  'many chunks': Array.from({ length: 6 }, (_, i) => ({
    id: `part ${i}`,
    text: `${paragraph} Chapter ${i}.\n\n`.repeat(3),
  })),
}

const chunksOf = (documents: readonly Document[]): readonly Chunk[] =>
  documents.flatMap((document, index) =>
    chunk(document, index, { size: 30, overlap: 5, by: 'tokens' }, tokenizer('o200k_base')),
  )
