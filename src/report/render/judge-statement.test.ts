import { describe, expect, test } from 'vitest'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { madeRun, scorerRecord } from '../../test-support/fake-run.ts'
import { conditionsOf } from './conditions.ts'

const small = { provider: 'openai', model: 'small', parameters: {} }
const large = { ...small, model: 'large' }
const answers = { 'answer-question': { version: 1, hash: 'aa' } }

const scorer = (name: string, more: Partial<ScorerRecord> = {}) => scorerRecord(name, { judge: true, ...more })

const manifestOf = (
  judge: typeof small,
  scorers: Manifest['scorers'],
  { answer, ...more }: Partial<Manifest> & { readonly answer?: typeof small } = {},
): Manifest => ({
  ...madeRun({ rows: {} }).manifest,
  models: { complete: small, embed: small, judge, ...(answer && { answer }) },
  prompts: answers,
  scorers,
  ...more,
})

/** What the line on the conditions says of the judge. */
const said = (...given: Parameters<typeof manifestOf>): readonly string[] =>
  conditionsOf(manifestOf(...given))
    .split('; ')
    .filter((statement) => statement.includes('judged'))

describe('the judge in the conditions of a table', () => {
  test('is named if a scorer uses one', () => {
    expect(said(large, [scorer('faithfulness')])).toEqual(['judged by openai large'])
  })

  test('is marked if it is also the answering model', () => {
    expect(said(small, [scorer('faithfulness')])).toEqual(['judged by the model that answers, openai small'])
    expect(said(small, [scorer('faithfulness')], { answer: large })).toEqual(['judged by openai small'])
  })

  test('is listed with its scorers if an earlier run used another one', () => {
    const scorers = [scorer('faithfulness'), scorer('relevancy', { judgedBy: small })]
    expect(said(large, scorers)).toEqual([
      'judged by openai large (faithfulness) and by the model that answers, openai small (relevancy)',
    ])
  })
})
