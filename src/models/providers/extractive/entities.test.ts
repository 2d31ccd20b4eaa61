import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Triple } from '../../../tasks/entities.ts'
import { extractiveReplies } from '../../../test-support/extractive-replies.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let reply: (task: string, input: unknown) => string
beforeAll(async () => {
  reply = await extractiveReplies()
})

const mill =
  'Arden Mill is a water mill in Kent. John Bell built it in 1790. It ground corn for Maidstone until a fire closed it in May 1920.'

describe('named entities', () => {
  const named = (passage: string) =>
    (JSON.parse(reply('name-entities', { passage })) as { named_entities: string[] }).named_entities

  test('names, places and dates, in order, each once', () => {
    expect(named(mill)).toEqual(['Arden Mill', 'Kent', 'John Bell', '1790', 'Maidstone', 'May 1920'])
    expect(named('Bell met Reed in Kent. Reed left Kent.')).toEqual(['Bell', 'Reed', 'Kent'])
  })

  test('a name of several words stays whole', () => {
    expect(named('She taught at the University of Warsaw and in the United States of America.')).toEqual([
      'University of Warsaw',
      'United States of America',
    ])
  })

  test('noun phrases where nothing has a name', () => {
    expect(named('The keeper rang the great bell.')).toEqual(['keeper', 'great bell'])
  })
})

describe('described entities', () => {
  const described = (text: string) =>
    JSON.parse(reply('extract-entities', { text })) as { entity_name: string; entity_description: string }[]

  test('an entity is described by the sentences that mention it, three at most', () => {
    const text = 'Falk kept the light. Falk rang the bell. The bell broke. Falk left. Falk came back.'
    expect(described(text)).toEqual([
      { entity_name: 'Falk', entity_description: 'Falk kept the light. Falk rang the bell. Falk left.' },
      { entity_name: 'bell', entity_description: 'Falk rang the bell. The bell broke.' },
    ])
  })

  test('on a page: its people and places', () => {
    const names = described(harbour).map(({ entity_name }) => entity_name)
    for (const name of ['Captain Elias Moor', 'Ingrid Falk', 'Leith', 'Gull Point', 'Tomas Reed', 'great storm'])
      expect(names).toContain(name)
  })
})

describe('triples', () => {
  const found = (passage: string, entities: readonly string[] = []) =>
    (JSON.parse(reply('extract-triples', { passage, entities })) as { triples: Triple[] }).triples

  test('subject, verb and complements, prepositions with the verb, pronouns written out', () => {
    expect(found(mill)).toEqual([
      ['Arden Mill', 'is', 'water mill'],
      ['Arden Mill', 'is in', 'Kent'],
      ['John Bell', 'built', 'Arden Mill'],
      ['John Bell', 'built in', '1790'],
      ['Arden Mill', 'ground', 'corn'],
      ['Arden Mill', 'ground for', 'Maidstone'],
      ['fire', 'closed', 'Arden Mill'],
      ['fire', 'closed in', 'May 1920'],
    ])
  })

  test('relative clauses, rows and denials', () => {
    const text = 'Marie Curie, who was born in Warsaw, discovered polonium and radium; she did not win a medal.'
    expect(found(text)).toEqual([
      ['Marie Curie', 'was born in', 'Warsaw'],
      ['Marie Curie', 'discovered', 'polonium'],
      ['Marie Curie', 'discovered', 'radium'],
      ['Marie Curie', 'did not win', 'medal'],
    ])
  })

  test('appositions', () => {
    expect(found('Mount Elbrus, a volcano in Russia, was climbed in 1874.')).toEqual([
      ['Mount Elbrus', 'is', 'volcano in Russia'],
      ['Mount Elbrus', 'was climbed in', '1874'],
    ])
  })

  test('those with a named entity, where there are any', () => {
    const text = 'The storm broke a window. Falk rang the bell.'
    expect(found(text, ['falk'])).toEqual([['Falk', 'rang', 'bell']])
    expect(found(text, ['Atlantis'])).toHaveLength(2)
  })
})

describe('helpful facts', () => {
  const helpful = (question: string, facts: readonly Triple[], most = 4) =>
    (JSON.parse(reply('filter-facts', { question, facts, most, maxTokens: 512 })) as { fact: Triple[] }).fact
  const planned: Triple = ['robert stevenson', 'planned', 'lighthouse on cape wrath']
  const orkney: Triple = ['orkney', 'lies north of', 'scotland']

  test('the best first, none without a word in common', () => {
    expect(helpful('Who planned the lighthouse on Cape Wrath?', [orkney, planned])).toEqual([planned])
    expect(helpful('Who sang?', [orkney, planned])).toEqual([])
    expect(helpful('Who sang?', [])).toEqual([])
  })

  test('as many as are wanted at most, ties in order', () => {
    const facts = ['a', 'b', 'c', 'd', 'e'].map((name): Triple => [`tower ${name}`, 'stands in', 'Tarn'])
    expect(helpful('What stands in Tarn?', facts)).toEqual(facts.slice(0, 4))
    expect(helpful('What stands in Tarn?', facts, 1)).toEqual(facts.slice(0, 1))
  })
})

test('a brief description has 400 characters at most', () => {
  const [brief = ''] = JSON.parse(reply('shorten-description', { name: 'x', description: harbour })) as string[]
  expect(brief.length).toBeLessThanOrEqual(400)
  expect(brief.length).toBeGreaterThan(200)
})
