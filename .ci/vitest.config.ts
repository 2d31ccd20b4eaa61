import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: '.ci/build.ts',
    setupFiles: '.ci/properties.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
