import { describe, expect, test } from 'vitest'
import { extractEntities, extractTriples, nameEntities } from './entities.ts'
import { extractGraph } from './graphrag-index.ts'
import { groundingOf, groundingStats, groundingWarnings, type Ungrounded } from './grounding.ts'
import {
  listSubjects,
  relateEvents,
  relateEventsBothWays,
  relateSubjects,
  relateSubjectsBothWays,
  splitIdeas,
} from './hlgraphrag.ts'

const text = `The keepers of Cape Wrath's lighthouse rowed to Zürich Bay. Robert Stevenson planned it in May of 1828, for 1,200 pounds. 灯塔在海边。`

const namesIn = (names: readonly string[], ungrounded: Ungrounded = 'drop') => {
  const grounding = groundingOf(ungrounded)
  return { kept: grounding.on(text)(nameEntities, names, (name) => ({ names: [name] })), grounding }
}

describe('a name is grounded in a text', () => {
  test.each([
    ['whatever its case, articles and punctuation', 'the CAPE WRATH'],
    ['with its words in another order, in one sentence', 'Cape Wrath lighthouse'],
    ['with little words between', 'May 1828'],
    ['in the singular', 'keeper'],
    ['without its accents', 'Zurich Bay'],
    ['without the comma of a number', '1200 pounds'],
    ['where it is a little word alone', 'It'],
    ['in another script', '灯塔'],
    ['where it has no letter, which is not looked at', '—'],
  ])('%s', (_how, name) => expect(namesIn([name]).kept).toEqual([name]))

  test.each([
    ['that is not there', 'Orkney'],
    ['whose words stand in different sentences', 'Robert the keeper'],
    ['that is a part of a word', 'light'],
    ['of a little word that is not there', 'them'],
    ['of a little word that is not there', 'their'],
    ['in another script', '塔灯'],
  ])('does not ground a name %s', (_which, name) => {
    expect(namesIn([name]).kept).toEqual([])
    expect(namesIn([name], 'count').kept).toEqual([name])
  })
})

describe('a name in a language with inflections', () => {
  const groundedIn = (language: string | undefined, source: string, names: readonly string[]) =>
    groundingOf('drop', language).on(source)(nameEntities, names, (name) => ({ names: [name] }))

  test.each([
    [
      'fi',
      'Matti Virtasen poika syntyi Turussa ja muutti Helsinkiin. Hän tapasi Pekka Mäkisen Tampereella ja matkusti Lahdesta Ouluun.',
      ['Matti Virtanen', 'Turku', 'Helsinki', 'Pekka Mäkinen', 'Tampere', 'Lahti', 'Oulu'],
      ['Espoo', 'Maria Virtanen', 'Tornio', 'Helinä'],
    ],
    [
      'pl',
      'W Krakowie i w Warszawie mieszkał Jan Kowalski z Anną Nowakową.',
      ['Kraków', 'Warszawa', 'Anna'],
      ['Gdańsk'],
    ],
    ['ru', 'Пушкина читали в Москве и в Петербурге.', ['Пушкин', 'Москва', 'Петербург'], ['Казань']],
    ['hu', 'Budapesten és Szegeden élt Kovács Jánossal.', ['Budapest', 'Szeged', 'Kovács János'], ['Debrecen']],
    ['tr', 'Ankara’dan İzmir’e Mehmet’le gitti.', ['Ankara', 'Mehmet'], ['Bursa']],
    ['ar', 'سافر أحمد إلى القاهرة وبغداد.', ['قاهرة', 'احمد', 'بغداد'], ['دمشق']],
    ['th', 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย', ['กรุงเทพมหานคร', 'ประเทศไทย'], ['เชียงใหม่']],
  ])('%s', (language, source, grounded, ungrounded) => {
    expect(groundedIn(language, source, [...grounded, ...ungrounded])).toEqual(grounded)
  })

  test.each(['en', undefined])('is compared word for word for language %s', (language) => {
    expect(groundedIn(language, 'Matti Virtasen poika syntyi Turussa.', ['Matti', 'Virtanen', 'Turku'])).toEqual([
      'Matti',
    ])
  })

  test('drops ungrounded names in English texts with auto, and counts them in others', () => {
    const left = (language: string | undefined) =>
      groundingOf('auto', language).on(text)(nameEntities, ['Orkney'], (name) => ({ names: [name] }))
    expect([left('en'), left(undefined), left('fi')]).toEqual([[], [], ['Orkney']])
  })
})

test('counts names for the precision and items for drops, equally in both modes', () => {
  const items = [
    ['Robert Stevenson', 'planned', 'lighthouse'],
    ['Robert Stevenson', 'was born in', 'Glasgow'],
    ['Arden Mill', 'is in', 'Kent'],
  ] as const
  const ask = (ungrounded: Ungrounded) => {
    const grounding = groundingOf(ungrounded)
    const kept = grounding.on(text)(extractTriples, items, ([subject, , object]) => ({ names: [subject, object] }))
    return {
      kept: kept.length,
      stats: groundingStats(grounding),
      warnings: Object.values(groundingWarnings(grounding)),
    }
  }
  const names = { namesChecked: 6, namesGrounded: 3, grounded: 0.5, echoesDropped: 1 }
  expect(ask('drop')).toEqual({ kept: 1, stats: { ...names, ungroundedDropped: 1 }, warnings: [1, 1] })
  expect(ask('count')).toEqual({ kept: 2, stats: { ...names, ungroundedDropped: 0 }, warnings: [0, 1] })
  expect(groundingStats(groundingOf('drop')).grounded).toBeNull()
})

describe('the example of a prompt', () => {
  const extracting = [
    nameEntities,
    extractTriples,
    extractEntities,
    extractGraph,
    listSubjects,
    relateSubjects,
    relateSubjectsBothWays,
    relateEvents,
    relateEventsBothWays,
    splitIdeas,
  ]

  test.each(extracting)('of $name is dropped from extractions, unless the text contains it', (task) => {
    const names = ['Arden Mill', 'who built Arden Mill', 'The fire of 1920', 'John Bell'].filter((name) =>
      (task.example ?? '').toLowerCase().includes(name.toLowerCase()),
    )
    expect(names.length).toBeGreaterThan(0)
    const keptOf = (text: string) => groundingOf('count').on(text)(task, names, (name) => ({ names: [name] }))
    expect(keptOf('Robert Stevenson planned it.')).toEqual([])
    expect(keptOf(`Someone asked ${names.join(', ')}.`)).toEqual(names)
  })

  test('is echoed by a description that repeats it, not by a single noun', () => {
    const grounding = groundingOf('count')
    const kept = grounding.on('A keeper lives at Cape Wrath.')(
      extractEntities,
      [
        ['Cape Wrath', 'A water mill on the river Arden.'],
        ['Cape Wrath', 'Where a keeper lives.'],
        ['mill', ''],
      ] as const,
      ([name, description]) => ({ names: [name], statements: [description] }),
    )
    expect(kept.map(([name]) => name)).toEqual(['Cape Wrath', 'mill'])
  })
})
