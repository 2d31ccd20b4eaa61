import { expect, test } from 'vitest'
import { withoutSetSecret } from './environment.ts'

test.each(['budget.token=3', 'budget.tokens=3', 'budget.token= -1.5 ', 'chunks.key=true', 'seed=5'])(
  'shows %s: a number is no secret',
  (set) => expect(withoutSetSecret(set)).toBe(set),
)

test.each([
  ...['budget.token=abc', 'budget.token=3x', 'budget.token="3"', 'budget.token=[3]', 'token=a=3', 'token=1234567890'],
  ...[
    'models.complete.apiKey=sk-1',
    'models.complete.apiKey=5',
    'models.complete.headers.x=5',
    'password=12',
    'secret=1',
    'models.complete.accessToken=123456',
    'methods.0.options.authToken=12',
  ],
])('hides the value of %s', (set) => expect(withoutSetSecret(set)).toBe(set.replace(/=.*/, '=***')))

test('--set of a mapping that contains a key hides the whole value', () => {
  expect(withoutSetSecret('models.complete={use: openai, apiKey: 5}')).toBe('models.complete=***')
})
