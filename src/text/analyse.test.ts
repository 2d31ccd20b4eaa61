import { expect, test } from 'vitest'
import { analyserOf, analysers } from './analyse.ts'

test.each(analysers)('%s: unifies the forms of an Arabic word', (analyser) => {
  const forms = (text: string) => [...new Set(analyserOf(analyser)(text))]
  expect(forms('القاهرة قاهره والقاهرة بالقاهرة للقاهرة الْقاهِرَة القـاهـرة')).toEqual(['قاهر'])
  expect(forms('المهندسون مهندسين والمهندسات')).toEqual(['مهندس'])
  expect(forms('أحمد احمد')).toHaveLength(1)
  expect(forms('کتاب كتاب')).toHaveLength(1)
  expect(forms('ولد وجد')).toHaveLength(2)
})

test('Arabic and English words of one text are each stemmed by their own rules', () => {
  expect(analyserOf('english')('The mills’ wheels في المدارس')).toEqual(['mill', 'wheel', 'في', 'مدارس'])
  expect(analyserOf('plain')('The wheels في المدارس')).toEqual(['the', 'wheels', 'في', 'مدارس'])
})
