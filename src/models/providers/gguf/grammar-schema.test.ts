import { expect, test } from 'vitest'
import { z } from 'zod'
import { formOf } from '../../calls/task-call.ts'
import { grammarSchema } from './grammar-schema.ts'

const triple = z.tuple([z.string(), z.string()])

test.each([
  { name: 'a list', output: z.array(z.string()), schema: { type: 'array', items: { type: 'string' } } },
  {
    name: 'an object with a choice',
    output: z.object({ a: z.union([z.string(), z.array(z.int())]), b: z.enum(['x', 'y']) }),
    schema: {
      type: 'object',
      properties: {
        a: {
          oneOf: [{ type: 'string' }, { type: 'array', items: expect.objectContaining({ type: 'integer' }) as object }],
        },
        b: { type: 'string', enum: ['x', 'y'] },
      },
      required: ['a', 'b'],
    },
  },
  {
    name: 'a tuple within a list',
    output: z.array(triple),
    schema: {
      type: 'array',
      items: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], minItems: 2, maxItems: 2 },
    },
  },
  {
    name: 'a map',
    output: z.object({ a: z.looseObject({}) }),
    schema: {
      type: 'object',
      properties: { a: { type: 'object', properties: {}, additionalProperties: true } },
      required: ['a'],
    },
  },
])('$name', ({ output, schema }) => {
  expect(grammarSchema(formOf(output).schema)).toEqual(schema)
})

test.each([
  { name: 'anything', schema: {} },
  { name: 'no schema', schema: undefined },
  { name: 'a list of anything', schema: { type: 'array', items: {} } },
  { name: 'an object of anything', schema: { type: 'object', properties: { a: { description: 'what you like' } } } },
  { name: 'a choice with anything', schema: { anyOf: [{ type: 'string' }, {}] } },
  { name: 'all of several', schema: { allOf: [{ type: 'string' }] } },
  { name: 'a negation inside', schema: { type: 'array', items: { not: { type: 'string' } } } },
])('$name has no grammar', ({ schema }) => {
  expect(grammarSchema(schema)).toBeUndefined()
})
