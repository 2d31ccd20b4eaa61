import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Long files first: one that starts last would leave the other worker without work. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): number => Number(moduleId.endsWith('.long.test.ts'))
    return sorted.toSorted((a, b) => isLong(b) - isLong(a))
  }
}

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    // npm test leaves *.long.test.ts out, npm run test:all has them too
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: '.ci/build.ts',
    setupFiles: '.ci/properties.ts',
    // a CI machine would have colours in what is printed
    env: { NO_COLOR: '1' },
    // only against what hangs: how fast a machine is decides nothing
    testTimeout: 480_000,
    hookTimeout: 480_000,
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // files share the modules that they import: loading them again for each would be half of the time
    isolate: false,
  },
})
