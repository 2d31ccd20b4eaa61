import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { gembench } from '../test-support/cli.ts'

const folder = fileURLToPath(new URL('../../results/published', import.meta.url))

describe('results/published', () => {
  test('holds a run of rules alone and one of a language model', () => {
    expect(readdirSync(folder).sort()).toEqual(['hipporag2-recall', 'smollm2-135m'])
  })

  test.each(readdirSync(folder))('%s: every digest, call, score and table is as it was published', async (name) => {
    const { code, out, err } = await gembench(join(folder, '..'), 'verify', join('published', name))
    expect(out.split('\n').filter((line) => !line.startsWith('same'))).toEqual([''])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('it repeats without a call')
    expect(out).toContain('the same when scored again without a network')
  })

  test('no file is larger than 3 MB', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => statSync(join(folder, file)).size > 3_000_000)).toEqual([])
  })
})
