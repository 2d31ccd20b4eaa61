import { expect, test } from 'vitest'
import { z } from 'zod'
import { validationErrors } from './shape-faults.ts'
const form = z.object({ nodes: z.array(z.object({ id: z.string(), kind: z.enum(['chunk', 'summary']).optional() })) })
const faults = (value: unknown): readonly string[] => validationErrors(form, value, {}).map(({ message }) => message)

test.each([
  [{ nodes: [{ id: 'a' }, { id: 3 }] }, '"nodes[1].id" must not be 3'],
  [{ nodes: [{ id: 'a' }, {}] }, '"nodes[1].id" is missing'],
  [{ nodes: [null] }, '"nodes[0]" must not be null'],
  [{ nodes: [{ id: 'a', kind: 'chnk' }] }, '"nodes[0].kind" must not be "chnk" (did you mean "chunk"?)'],
  [{ nodes: 'abc' }, '"nodes" must not be "abc"'],
  [{}, '"nodes" is missing'],
])('%j: %s', (value, said) => expect(faults(value)).toEqual([said]))
