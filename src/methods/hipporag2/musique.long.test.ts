import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { normalise } from '../../math/vectors.ts'
import { hipporagCopy } from '../../test-support/dataset-copies/dataset-copies.ts'
import { onShelf } from '../../test-support/dataset-copies/shelf-files.ts'
import { written } from '../../test-support/dataset-copies/written.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk } from '../../types.ts'
import { hipporag2 } from './hipporag2.ts'

interface Paragraph {
  readonly title: string
  readonly text: string
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as readonly Paragraph[]
const copy = hipporagCopy.replace('.json', '_corpus.json')

/** What a model might have said of the passages of the copy; of the flatfish there is nothing, and two triples are none. */
const said: readonly (readonly unknown[])[] = [
  [
    ['Glass harp', 'built in', 'Vell'],
    ['Cooper', 'built', 'glass harp!'],
    ['glass harp', 'built in', 'VELL'],
  ],
  [
    ['Vell', 'is', 'town'],
    ['Ore', 'flows past', 'Vell'],
    ['Vell', 'is', 'town'],
  ],
  [['Cooper', 'makes', 'barrels'], ['Cooper', 'makes']],
  [['Marten Oke', 'founded', 'library']],
  [['Brill', 'is', 'port'], ['Brill', 'has', 'library'], 'Brill'],
  [
    ['Ilse Tarn', 'is', 'Ilse Tarn'],
    ['Ilse Tarn', 'painted', '…'],
  ],
]
const openieCopy = written('hipporag-openie', {
  'openie.json': {
    docs: read(copy)
      .slice(0, said.length)
      .map(({ title, text }, at) => ({ passage: `${title}\n${text}`, extracted_triples: said[at] })),
  },
})
const shelf = onShelf(
  ['musique/musique_train_corpus.hipporag100.json'],
  ['musique/openie_musique_train.gpt-3.5-turbo-1106.1890.json'],
).flat()

test.each([
  {
    files: [copy, openieCopy],
    ...{ passages: 7, phrases: 11, facts: 10, triples: 11, relationPairs: 8, relationEdges: 16, selfLoopsDropped: 1 },
    ...{ contextEdges: 14, passagesWithoutTriples: 1, passagesWithoutPhrases: 1, endsWithoutPhrase: 1 },
    ...{ triplesMalformed: 2, triplesRepeated: 1, passagesNotImported: 1 },
  },
  ...(shelf.length < 2
    ? []
    : [
        {
          files: shelf,
          ...{ passages: 1890, phrases: 16234, facts: 17036, triples: 17204, relationPairs: 16508 },
          ...{ relationEdges: 33016, selfLoopsDropped: 20, contextEdges: 19754, passagesWithoutTriples: 2 },
          ...{ passagesWithoutPhrases: 2, endsWithoutPhrase: 1, triplesMalformed: 185, triplesRepeated: 30 },
          passagesNotImported: 0,
        },
      ]),
])('the OpenIE of $passages passages gives phrases, facts and edges, and the same again', async (expected) => {
  const {
    files: [corpus = '', openie = ''],
    ...stats
  } = expected
  const chunks = read(corpus).map(({ title, text }, index): Chunk => {
    const [id, whole] = [String(index), `${title}\n${text}`]
    return { id, documentId: id, position: 0, start: 0, end: whole.length, text: whole, tokens: 0 }
  })
  const options = hipporag2.options.parse({ openie, filter: 'none', synonymThreshold: 1 })
  const random = mulberry32(1)
  const drawn = () => normalise(Float32Array.from({ length: 4 }, () => random() - 0.5))
  // no two phrases are synonyms
  const models = { ...fakeModels(), embed: async (texts: readonly string[]) => texts.map(drawn) }
  const first = await hipporag2.index(chunks, models, options)
  const second = await hipporag2.index(chunks.slice(), models, options)
  const nothing = { synonymEdges: 0, synonymsOnRelations: 0, triplesWithoutPhrases: 0, parseFailures: 0 }
  expect(first.stats?.()).toEqual({ ...stats, ...nothing })
  expect(models.calls).toEqual([])
  expect(second.graph?.()).toEqual(first.graph?.())
})
