import { expect, test } from 'vitest'
import { z } from 'zod'
import { callOptions, defineProvider } from '../models/provider.ts'
import { modelFindings } from './model.ts'

let calls = 0
test('a provider that violates several rules gets a finding for each', async () => {
  const provider = defineProvider({
    name: 'mine',
    summary: 'Replies.',
    can: ['embed'],
    options: z.object({ ...callOptions, size: z.int().default(2) }),
    open: async () => ({
      name: 'other',
      model: 'm',
      parameters: { call: calls++ },
      complete: async () => {
        throw new Error('busy')
      },
    }),
  })
  expect(await modelFindings(provider)).toEqual([
    expect.stringContaining('accepts the unknown option'),
    expect.stringContaining('the option "size" has no description'),
    expect.stringContaining('has complete(), which "can" does not name'),
    expect.stringContaining('its provider has the name "other"'),
    expect.stringContaining('its parameters differ when it is opened again'),
    expect.stringContaining('a call threw no ModelError; throw one: busy'),
  ])
})
