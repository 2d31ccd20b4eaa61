import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { normalise } from '../../math/vectors.ts'
import { chunkAt } from '../../test-support/ask-method.ts'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { inReferenceData } from '../../test-support/dataset-copies/reference-data.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { hipporag2 } from './hipporag2.ts'

interface Passage {
  readonly title: string
  readonly text: string
}

/** Two passages of an invented corpus, as HippoRAG writes what a model said of them. */
const copied: readonly (Passage & { readonly extracted_triples: readonly (readonly string[])[] })[] = [
  {
    title: 'Glass harp',
    text: 'The glass harp was built in the town of Vell by a cooper.',
    extracted_triples: [
      ['Glass harp', 'was built in', 'Vell'],
      ['Glass harp', 'was built by', 'a cooper'],
      ['Glass harp', 'was built by', 'a cooper'],
    ],
  },
  {
    title: 'Vell',
    text: 'Vell is a town on a hill; the river Ore flows past it.',
    extracted_triples: [
      ['Vell', 'lies on', 'a hill'],
      ['Ore', 'flows past', 'Vell'],
      ['Vell', 'is'],
    ],
  },
]
const docs = copied.map((one) => ({ ...one, passage: `${one.title}\n${one.text}`, extracted_entities: [] }))
const copy = fileOf({ docs })

const published = inReferenceData<[]>(['musique/openie_musique_train.gpt-3.5-turbo-1106.1890.json']).map(
  ([openie]): [string, readonly Passage[], object] => [
    openie,
    JSON.parse(
      readFileSync(join(dirname(openie), 'musique_train_corpus.hipporag100.json'), 'utf8'),
    ) as readonly Passage[],
    {
      passages: 1890,
      phrases: 16234,
      facts: 17036,
      relationEdges: 33016,
      contextEdges: 19754,
      passagesWithoutTriples: 2,
    },
  ],
)

describe.each<[string, readonly Passage[], object]>([
  [
    copy,
    copied,
    {
      passages: 2,
      phrases: 5,
      facts: 4,
      relationEdges: 8,
      contextEdges: 6,
      passagesWithoutTriples: 0,
    },
  ],
  ...published,
])('the OpenIE of %s', (openie, corpus, counts) => {
  test('builds the phrases, facts and edges of the reference, reproducibly', async () => {
    const chunks = corpus.map(({ title, text }, at) => chunkAt(at, `${title}\n${text}`, { documentId: String(at) }))
    const options = hipporag2.options.parse({ openie, filter: 'none' })
    const random = mulberry32(1)
    const drawn = () => normalise(Float32Array.from({ length: 48 }, () => random() - 0.5))
    // no two phrases are synonyms
    const models = { ...fakeModels(), embed: async (texts: readonly string[]) => texts.map(drawn) }
    const [first, second] = [
      await hipporag2.index(chunks, models, options),
      await hipporag2.index(chunks.slice(), models, options),
    ]
    expect(first.stats?.()).toMatchObject({
      synonymEdges: 0,
      ...counts,
    })
    expect(models.calls).toEqual([])
    expect(second.graph?.()).toEqual(first.graph?.())
  })
})
