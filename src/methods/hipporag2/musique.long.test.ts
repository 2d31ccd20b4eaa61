import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { normalise } from '../../math/vectors.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk } from '../../types.ts'
import { hipporag2 } from './hipporag2.ts'

const folder = new URL('../../../../shared/data/musique/', import.meta.url)
const file = (name: string): string => fileURLToPath(new URL(name, folder))

describe.skipIf(!existsSync(folder))('the published OpenIE of 1890 MuSiQue passages (shared/data/musique)', () => {
  test('gives the phrases, facts and edges of the reference, and the same again', async () => {
    const corpus = JSON.parse(readFileSync(file('musique_train_corpus.hipporag100.json'), 'utf8')) as {
      title: string
      text: string
    }[]
    const chunks = corpus.map(({ title, text }, index): Chunk => {
      const whole = `${title}\n${text}`
      return {
        id: String(index),
        documentId: String(index),
        position: 0,
        start: 0,
        end: whole.length,
        text: whole,
        tokens: 0,
      }
    })
    const openie = file('openie_musique_train.gpt-3.5-turbo-1106.1890.json')
    const options = hipporag2.options.parse({ openie, filter: 'none', synonymThreshold: 1 })
    const random = mulberry32(1)
    const drawn = () => normalise(Float32Array.from({ length: 4 }, () => random() - 0.5))
    // no two phrases are synonyms
    const models = { ...fakeModels(), embed: async (texts: readonly string[]) => texts.map(drawn) }
    const [first, second] = [
      await hipporag2.index(chunks, models, options),
      await hipporag2.index(chunks.slice(), models, options),
    ]
    expect(first.stats?.()).toEqual({
      passages: 1890,
      phrases: 16234,
      facts: 17036,
      triples: 17204,
      relationPairs: 16508,
      relationEdges: 33016,
      synonymEdges: 0,
      synonymsOnRelations: 0,
      selfLoopsDropped: 20,
      contextEdges: 19754,
      passagesWithoutTriples: 2,
      passagesWithoutPhrases: 2,
      triplesWithoutPhrases: 0,
      endsWithoutPhrase: 1,
      parseFailures: 0,
      triplesMalformed: 185,
      triplesRepeated: 30,
      passagesNotImported: 0,
    })
    expect(models.calls).toEqual([])
    expect(second.graph?.()).toEqual(first.graph?.())
  })
})
