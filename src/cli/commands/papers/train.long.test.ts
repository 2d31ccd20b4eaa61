import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readWeights } from '../../../methods/graph-of-records/weights.ts'
import { run } from '../../../run/index.ts'
import { gembench, expectRefusal, type CliEnded } from '../../../test-support/cli.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../../test-support/tiny.ts'

const row = { use: 'graph-of-records', label: 'gor', gnn: 'trained', weights: 'w.json' }
const tiny = (more: object = {}) =>
  tinyProject({
    methods: ['bm25', row],
    models: { complete: 'extractive', embed: 'fake' },
    train: { epochs: 3, batch: 1 },
    ...more,
  })

const train = (project: string, ...args: readonly string[]): Promise<CliEnded> =>
  gembench(project, 'train', '-c', 'tiny.yaml', '--quiet', ...args)

describe('gembench train', () => {
  test('writes weights and chart, with which a run needs no further call', async () => {
    const project = await tiny()
    expect((await train(project)).out).toMatch(
      /^gor: 1 record graph, 3 epochs, 3 steps; labels by bertscore, messages toResponse, seed 42\nloss /,
    )
    const weights = await readWeights(join(project, 'w.json'))
    expect(weights).toMatchObject({
      dim: 64,
      heads: 1,
      graphs: 1,
      seed: 42,
      trainConfig: { epochs: 3, batch: 1, coe: 0.5 },
    })
    expect(weights.lossCurve.length).toBe(3)
    expect(await readFile(join(project, 'w.svg'), 'utf8')).toContain('Training of gor')
    const { trials, manifest } = await run(await tinyPlan(project), tinySettings(project))
    expect(trials.failed).toBe(0)
    expect(manifest.methods.map(({ method }) => method)).toEqual(['bm25', 'gor'])
  })

  test('gives the same file for the same seed only', async () => {
    const project = await tiny()
    await train(project, '-o', '1.json')
    await train(project, '-o', '2.json')
    await train(project, '-o', '3.json', '--set', 'seed=43')
    const [first, again, second] = ['1.json', '2.json', '3.json'].map((name) => join(project, name))
    expect(await readFile(again!, 'utf8')).toBe(await readFile(first!, 'utf8'))
    expect((await readWeights(second!)).network).not.toEqual((await readWeights(first!)).network)
  })

  test.each([
    ['train.contrastive=false', { contrastive: false }],
    ['train.coe=0', { coe: 0 }],
    ['train.direction=both', { direction: 'both' }],
    ['train.labels=cosine', { labels: 'cosine' }],
  ])('the option %s changes the weights', async (set, trainConfig) => {
    const project = await tiny()
    await train(project, '-o', 'usual.json')
    await train(project, '-o', 'other.json', '--set', set)
    const [usual, second] = await Promise.all(
      ['usual.json', 'other.json'].map((name) => readWeights(join(project, name))),
    )
    expect(second!.trainConfig).toMatchObject(trainConfig)
    expect(second!.network).not.toEqual(usual!.network)
  })

  test('overwrites a file of another program with --force only', async () => {
    const project = await tiny()
    await writeFile(join(project, 'w.json'), '{}')
    await expectRefusal(train(project), 'was not made by this command')
    expect(await train(project, '--force')).toMatchObject({ code: 0 })
    expect(await train(project)).toMatchObject({ code: 0 })
    expect((await readWeights(join(project, 'w.json'))).dim).toBe(64)
  })

  test('refuses a config without a row that trains', async () => {
    await expectRefusal(train(await tiny({ methods: ['bm25'] })), 'no row of the method graph-of-records')
    await expectRefusal(train(await tiny(), '-m', 'bm25'), 'there is "gor"')
  })
})

describe('weights of another embedder', () => {
  const running = async (project: string, ...set: readonly string[]) =>
    run(await tinyPlan(project, set), tinySettings(project, { cacheFolder: join(project, 'other cache') }))

  test('refuses them before any call', async () => {
    const project = await tiny()
    await train(project)
    const refusal = running(project, 'models.embed=minilm')
    await expect(refusal).rejects.toThrow(
      /w\.json: its vectors were made by the model "fake fake".*, and models\.embed is/,
    )
  })

  test('refuses vectors of another width after one embedding, before a language model call', async () => {
    const project = await tiny()
    await train(project)
    const file = join(project, 'w.json')
    const { embedder: _embedder, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Readonly<
      Record<string, unknown>
    >
    await writeFile(file, JSON.stringify({ ...rest, embedder: null }))
    await expect(running(project, 'models.embed=minilm')).rejects.toThrow(
      'was made of vectors of 64 numbers, and models.embed gives 384',
    )
    expect((await running(project)).trials.failed).toBe(0)
  })
})
