import { expect, test } from 'vitest'
import { instructionSet, machine } from './environment.ts'

test.each([
  ['x64', 'processor\t: 0\nflags\t\t: fpu sse2 avx avx2 avx512f\n', 'AVX-512'],
  ['x64', 'processor\t: 0\nflags\t\t: fpu sse2 avx avx2\nflags\t\t: avx512f\n', 'AVX2'],
  ['arm64', '', 'NEON'],
  ['x64', '', 'unknown'],
])('names the vector instructions of %s with %j: %s', (architecture, cpuInfo, name) => {
  expect(instructionSet(architecture, cpuInfo)).toBe(name)
})

test('a manifest names vector instructions only if the run embeds on this machine', () => {
  expect(machine()).not.toHaveProperty('instructionSet')
  expect(machine(true)).toMatchObject({ instructionSet: expect.stringMatching(/^(AVX|SSE|NEON|unknown)/) })
})
