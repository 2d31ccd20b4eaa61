import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { readDotEnv } from './plan.ts'

const read = (text: string): Readonly<Record<string, string>> => readDotEnv(folderOf({ '.env': text }))

test('reads names and values with quotes, comments and "export"', () => {
  const text = '\uFEFF# keys\r\nA=1\r\nexport B = two words # why\nC="x # y\\nz" # why\nD=\'a"b\\n\'\nE=\nF=a=b\n\n'
  expect(read(text)).toEqual({ A: '1', B: 'two words', C: 'x # y\nz', D: 'a"b\\n', E: '', F: 'a=b' })
})

test('reads a comment alone as an empty value', () => {
  expect(read('A= # why\nB=\t#x\nC="" # why\n')).toEqual({ A: '', B: '', C: '' })
})

test('reads a quoted value on several lines', () => {
  const text = 'A="one\r\n  # two=2\nthree" # why\nB=\'-----BEGIN\n\nEND\'\nC=c\n'
  expect(read(text)).toEqual({ A: 'one\n  # two=2\nthree', B: '-----BEGIN\n\nEND', C: 'c' })
  expect(() => read('A=1\nB="x\ny" z\nC=1')).toThrow(/^\.env:2: cannot be read/)
  expect(() => read("A=1\nB='x\ny\n\n")).toThrow(/^\.env:2: cannot be read/)
})

test.each(['A=1\nsk-secret', 'A=1\nKEY="sk-secret', 'A=1\n1A=sk-secret', "A=1\nA='x' sk-secret", 'A=1\nB=sk#secret'])(
  'names the malformed line without its text: %j',
  (text) => {
    expect(() => read(text)).toThrow(/^\.env:2: cannot be read; expected NAME=value/)
    expect(() => read(text)).not.toThrow(/secret/)
  },
)

test('accepts a missing file or a folder of that name', () => {
  const folder = folderOf({})
  expect(readDotEnv(folder)).toEqual({})
  mkdirSync(join(folder, '.env'))
  expect(readDotEnv(folder)).toEqual({})
})
