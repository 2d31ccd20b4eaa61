import { expect, test } from 'vitest'
import { mlqaTokens, type AnswerLanguage } from '../measures/answers/mlqa.ts'
import { answerLanguage, columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './answer-language.ts'

const auto: { readonly language: 'auto' | AnswerLanguage } = { language: answerLanguage.parse(undefined) }

test.each(['zh', 'ja', 'th', 'lo', 'km', 'my'])('scores questions in %s by the rules of their language', (language) => {
  expect(forLanguage(auto, language)).toEqual({ language })
  expect(forLanguage({}, language)).toEqual({ language })
  expect(forLanguage({ language: 'de' }, language)).toEqual({ language: 'de' })
})

test.each(['en', 'de', 'ar', 'ko', 'fi'])('scores questions in %s by the official rules', (language) => {
  expect(forLanguage(auto, language)).toEqual(auto)
  expect(columnsInBothForms(auto, [{ metric: 'f1' }])).toEqual([{ metric: 'f1' }])
  expect(noteOnForm(auto)).toBeUndefined()
  expect(inBothForms(auto, (tokens) => ({ f1: tokens('the cat').length }))).toEqual({ f1: 1 })
})

test('adds the official values to those of a language', () => {
  const options = { language: 'ja' } as const
  expect(inBothForms(options, (tokens) => ({ f1: tokens('東京 the タ').length }))).toEqual({ f1: 4, officialF1: 2 })
  expect(columnsInBothForms(options, [{ metric: 'f1', label: 'F1' }])).toEqual([
    { metric: 'f1', label: 'F1' },
    { metric: 'officialF1', label: 'official F1' },
  ])
  expect(noteOnForm(options)).toContain('Japanese')
})

test.each([
  ['ja', '「東京タワー」は高い。', '東 京 タ ワ ー は 高 い'],
  ['th', 'กรุงเทพมหานคร เป็น “เมืองหลวง”', 'กรุงเทพมหานคร เป็น เมือง หลวง'],
  ['lo', 'ນະຄອນຫຼວງຂອງລາວ', 'ນະຄອນຫຼວງ ຂອງ ລາວ'],
  ['km', 'រាជធានីភ្នំពេញ។', 'រាជធានី ភ្នំពេញ'],
  ['my', 'မြန်မာနိုင်ငံ၏မြို့တော်', 'မြန်မာနိုင်ငံ မြို့တော်'],
  ['ko', '서울은 한국의 수도이다.', '서울은 한국의 수도이다'],
] as const)("tokens that MLQA's script does not know, %s: %s", (language, text, expected) => {
  expect(mlqaTokens(text, language).join(' ')).toBe(expected)
})
