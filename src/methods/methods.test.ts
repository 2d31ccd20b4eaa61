import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { methods } from './index.ts'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
const tests = files
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n')

test.each(methods.names)('%s is given to testMethod', (name) => {
  const checked = new RegExp(`^testMethod\\((await asking\\()?${variable(name)}\\b`, 'm')
  expect(checked.test(tests), `give the method "${name}" a test beside it, which calls testMethod`).toBe(true)
})

/** The variable that holds a method by convention: `gemRag` for `gem-rag`. */
const variable = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
