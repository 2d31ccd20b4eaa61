import { expect, test } from 'vitest'
import { UserError } from '../errors.ts'
import { refuseFullMemory } from './full-memory.ts'

const at = (used: number) => () =>
  refuseFullMemory('a.jsonl:7', { used_heap_size: used * 2 ** 20, heap_size_limit: 100 * 2 ** 20 })

test('reading ends with a line while there is memory for it', () => {
  expect(at(85)).not.toThrow()
  expect(at(86)).toThrow(UserError)
  expect(at(86)).toThrow(
    'a.jsonl:7: what was read up to here takes 86 of the 100 MB of memory that Node gives to texts: set the environment variable NODE_OPTIONS=--max-old-space-size=200 where there is as much, or take fewer documents',
  )
})
