import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { methods } from './index.ts'

const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })

test.each(methods.names)('%s has a test file of its name', (name) => {
  const file = `${name}.test.ts`
  const own = tests.find((path) => [file, `${name}.long.test.ts`].includes(basename(path)))
  expect(own, `give the method "${name}" a test ${file} beside it, which calls testMethod`).toBeDefined()
  const checked = new RegExp(`^testMethod\\((await asking\\()?${variable(name)}(Of)?\\b`, 'm')
  expect(readFileSync(join(import.meta.dirname, own!), 'utf8')).toMatch(checked)
})

/** The variable that holds a method by convention: `gemRag` for `gem-rag`. */
const variable = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
