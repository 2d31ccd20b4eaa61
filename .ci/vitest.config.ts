import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: '.ci/build.ts',
    setupFiles: '.ci/properties.ts',
    // a CI machine would have colours in what is printed
    env: { NO_COLOR: '1' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
