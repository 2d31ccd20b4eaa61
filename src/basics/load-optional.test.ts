import { expect, test } from 'vitest'
import { loadOptional, resolveOptional } from './load-optional.ts'

test('a package that is not there is named with the command that installs it', () => {
  expect(() => resolveOptional({ kind: 'minilm', package: 'absent-runtime', version: '1.30.0' })).toThrow(
    /^minilm: absent-runtime cannot be loaded; install it next to gembench: npm install --ignore-scripts absent-runtime@1\.30\.0 \([^\n]*\)$/,
  )
})

test('another major version is refused, a newer minor one is not', async () => {
  const wanted = { kind: 'files', package: 'zod' }
  await expect(loadOptional({ ...wanted, version: '3.9.0' })).rejects.toThrow(
    /^files: zod 4\.\d+\.\d+ is installed, 3\.9\.0 is wanted: npm install --ignore-scripts zod@3\.9\.0$/,
  )
  await expect(loadOptional({ ...wanted, version: '4.0.0' })).resolves.toHaveProperty('z')
})
