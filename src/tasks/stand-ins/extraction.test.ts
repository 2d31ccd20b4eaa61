import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { extractiveReply } from '../../test-support/extractive-replies.ts'
import { eventsIn, triplesOf } from './facts.ts'
import { describedEntities, graphOf, namesIn } from './names.ts'
import { questionsAbout } from './questions.ts'
import { read } from './reading.ts'
import { pointsIn, reportOn } from './reports.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

describe('names', () => {
  test('are capitalised words, dates and numbers, each once', () => {
    expect(namesIn('In May 1920 John Bell sold 4 horses to the University of Warsaw. John Bell wept.')).toEqual([
      'May 1920',
      'John Bell',
      '4 horses',
      'University of Warsaw',
    ])
  })

  test('are long words in scripts without capitals', () => {
    expect(namesIn('the keeper of the lamp')).toEqual(['keeper'])
    expect(namesIn('ประภาคารสร้างขึ้นในปี').length).toBeGreaterThan(0)
  })

  test('are described by the sentences that mention them, at most three', () => {
    const text = 'Falk rang. Bell slept. Falk sang. Falk left. Falk died.'
    expect(describedEntities(read(text))).toEqual([
      { name: 'Falk', description: 'Falk rang. Falk sang. Falk left.' },
      { name: 'Bell', description: 'Bell slept.' },
    ])
  })

  test('are related to their neighbours in a sentence', () => {
    const text = 'Yesterday Anna Reed met Bert Vale in Lisk.'
    expect(graphOf(text).relationships.map(({ source, target }) => [source, target])).toContainEqual([
      'Bert Vale',
      'Lisk',
    ])
  })
})

describe('facts', () => {
  test.each([
    ['Marie Curie discovered polonium and radium.', [['Marie Curie', 'discovered', 'polonium and radium']]],
    ['Tarn was founded in 1642.', [['Tarn', 'was founded in', '1642']]],
    ['The old lamp was lit in 1871.', [['the old lamp', 'was lit in', '1871']]],
    ['nothing is capitalised here', []],
  ])('%s', (text, expected) => expect(triplesOf(text, [])).toEqual(expected))

  test('resolve a pronoun at the beginning to the first name before it', () => {
    expect(triplesOf('John Bell came to Arden. He built a mill in 1790.', ['1790'])).toEqual([
      ['John Bell', 'built a mill in', '1790'],
    ])
  })

  test('are events if they have a date or a reason', () => {
    const text = 'Bell built Arden Mill in 1790. It stood. Reed left because the weir broke.'
    expect(eventsIn(text).map(({ event, time, why }) => [event, time, why])).toEqual([
      ['Bell built Arden Mill in 1790', '1790', ''],
      ['Reed left because the weir broke', '', 'the weir broke'],
    ])
  })
})

describe('questions', () => {
  test.each([
    ['The lighthouse was built in 1871.', ['When was the lighthouse built?', 'What was built in 1871?']],
    ['Marie Curie discovered polonium.', ['Who discovered polonium?']],
  ])('%s', (text, expected) => {
    const asked = questionsAbout(text).filter(({ answer }) => answer !== '')
    expect(asked.map(({ question }) => question)).toEqual(expected)
  })

  test('are as many as requested, distinct, with evidence from the text', () => {
    for (const count of [0, 1, 5, 12])
      expect(JSON.parse(extractiveReply('utility-questions', { text: harbour, count }))).toHaveLength(count)
    const all = questionsAbout(harbour)
    expect(new Set(all.map(({ question }) => question.toLowerCase())).size).toBe(all.length)
    for (const { evidence } of all) expect(harbour.replace(/\s+/g, ' ')).toContain(evidence)
  })

  test('are drafted without repeating earlier ones', () => {
    const draft = (already: readonly string[]): { question: string; answer: string } =>
      JSON.parse(extractiveReply('draft-question', { text: 'The lighthouse was built in 1871.', already })) as never
    expect(draft([])).toMatchObject({ question: 'When was the lighthouse built?', answer: '1871' })
    expect(draft(['When was the lighthouse built?'])).toMatchObject({ answer: 'the lighthouse' })
  })
})

describe('reports', () => {
  test('use the longest fields of a table', () => {
    const table = '# Mill\n-----\nid,entity,description\n1,MILL,"Arden Mill ground corn, and fed one town."\n'
    const { title, findings } = reportOn(table)
    expect(title).toBe('Arden Mill')
    expect(findings.map(({ explanation }) => explanation)).toEqual(['Arden Mill ground corn, and fed one town.'])
  })

  test('list sentences that share words with a question, nearest first', () => {
    const reports = 'Bell built the mill in 1790. The mill burned. Cats purr softly.'
    expect(pointsIn('Who built the mill?', reports)).toEqual([
      { description: 'Bell built the mill in 1790.', score: 100 },
      { description: 'The mill burned.', score: expect.any(Number) as number },
    ])
  })
})
