import { chunk } from '../chunking/index.ts'
import { locator, type Locator } from '../run/asking/evidence.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Budget, Chunk, Query } from '../types.ts'

/** A corpus that every method must handle, in chunks. */
export interface MethodInput {
  readonly corpus: string
  readonly chunks: readonly Chunk[]
  readonly locate: Locator
}

/** The largest of the budgets that methods are called with. */
export const wide: Budget = { passages: 20, tokens: 4000 }

export const budgets: readonly Budget[] = [{ passages: 1, tokens: 50 }, { passages: 3, tokens: 400 }, wide]

/** The questions for every method and corpus. */
export const queries: readonly Query[] = [
  { id: 'plain', text: 'Who kept the lighthouse at Orrin?' },
  { id: 'two hops', text: 'Where did the brother of Ada Vale ring the bell?', options: ['Orrin', 'Lisk'] },
  { id: 'history', text: 'And then?', history: [{ speaker: 'Ada', text: 'The lamp broke.' }] },
  { id: 'no shared word', text: 'zyx wvu' },
  { id: 'empty', text: '' },
  { id: 'other script', text: '谁看守灯塔？' },
  { id: 'long', text: 'lighthouse '.repeat(500) },
]

/** The corpora in chunks. */
export const methodInputs = (): readonly MethodInput[] =>
  Object.entries(corpora).map(([corpus, texts]) => {
    const documents = texts.map((text, index) => ({ id: `document ${index}`, text }))
    const chunks = documents.flatMap((document, index) =>
      chunk(document, index, { size: 30, overlap: 5, by: 'tokens' }, tokenizer('o200k_base')),
    )
    return { corpus, chunks, locate: locator({ id: corpus, documents, questions: [] }, chunks) }
  })

/** A quotation and a whole document. */
export const evidenceIn = (chunks: readonly Chunk[]): NonNullable<Query['evidence']> =>
  chunks.slice(0, 1).flatMap(({ documentId, text }) => [{ documentId, text: text.slice(0, 10) }, { documentId }])

const paragraph =
  'Ada Vale kept the lighthouse at Orrin. Her brother Edric Sloe rang the bell when the lamp broke in 1903. ' +
  'In Harrowgate, Maud Sloe baked rye bread and wrote letters to Ada Vale.'

const corpora: Readonly<Record<string, readonly string[]>> = {
  'no chunk': [],
  'one chunk': ['Ada Vale kept the lighthouse.'],
  'two chunks': ['Ada Vale kept the lighthouse.', 'Edric Sloe rang the bell.'],
  'equal chunks': Array.from({ length: 5 }, () => 'Ada Vale kept the lighthouse.'),
  'chunks without words': ['… — !!! ### ', '.'],
  'other scripts': ['灯塔由艾达看守。她的弟弟敲钟。 كانت آدا تحرس المنارة.', 'आदा ने प्रकाशस्तंभ की रखवाली की। 🏳️‍🌈👩‍👩‍👧'],
  'many chunks': Array.from({ length: 6 }, (_, index) => `${paragraph} Chapter ${index}.\n\n`.repeat(3)),
}
