import { expect, test } from 'vitest'
import { pythonOutput } from './python-output.ts'

// any program that takes "-e CODE" will do
const node = (code: string) => pythonOutput(process.execPath, ['-e', code], 'graspologic_native')

test('what a script prints', () => {
  expect(node('console.log(7)')).toBe('7\n')
})

test('a missing interpreter and a missing package are no figures; any other failure is an error with its words', () => {
  const lacks = (module: string) => `console.error("ModuleNotFoundError: No module named '${module}'"); process.exit(1)`
  expect(pythonOutput('/no/such/python', [], 'graspologic_native')).toBeUndefined()
  expect(node(lacks('graspologic_native'))).toBeUndefined()
  expect(() => node(lacks('json'))).toThrow("ended with 1\nModuleNotFoundError: No module named 'json'")
  expect(() => node('console.error("ValueError: x"); process.exit(1)')).toThrow('ended with 1\nValueError: x')
  expect(() => node('process.kill(process.pid)')).toThrow('ended with SIGTERM')
})
