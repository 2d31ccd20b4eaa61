import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type Plan } from '../config/index.ts'
import { memoryCache, openCache, openModels } from '../models/index.ts'
import type { Manifest } from '../records.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Counts } from './ask-all.ts'
import { judgeAll } from './judge-all.ts'
import { scorerRecords } from './manifest.ts'
import { menus } from './menus.ts'
import { judgesOf, type Settings } from './prepare.ts'
import { silent, type Progress } from './progress.ts'
import type { Results } from './results.ts'
import { files, lockFolder, replaceFile } from './store.ts'

/**
 * Scores every trial of a results folder anew with the scorers that its manifest names, as they are now; no method and no
 * answerer is asked, and a judge only for what the cache does not hold. scores.jsonl is replaced whole or not at all.
 */
export async function rescore(results: Results, settings: Settings, progress: Progress = silent): Promise<Counts> {
  const { folder, manifest } = results
  const { trials, scores } = files(folder)
  const plan = await planOf(manifest)
  const cache = settings.cache ? await openCache(join(settings.cacheFolder, 'calls')) : memoryCache()
  const words = tokenizer(plan.chunks.tokenizer)
  const models = await openModels(plan.models, { ...settings, cache, tokenizer: words })
  const release = await lockFolder(folder)
  const part = `${scores}.part`
  try {
    await rm(part, { force: true })
    const judges = await judgesOf(plan.scorers ?? [], models)
    const { judgeRuns, concurrency, seed } = plan
    const rows = new Set(manifest.methods.map(({ id }) => id))
    const judging = { trials, scores: part, meter: null, judges, judgeRuns, concurrency, seed, rows }
    const counts = await judgeAll(judging, models, progress, settings.signal)
    await rename(part, scores)
    await replaceFile(
      join(folder, 'manifest.json'),
      `${JSON.stringify({ ...manifest, scorers: scorerRecords(judges) }, null, 2)}\n`,
    )
    return counts
  } finally {
    await release()
    await models.close()
    await cache.close()
  }
}

/** The models and scorers of a manifest, read as a config is. A key that is not set now matters only to a judge that must be asked. */
async function planOf({ name, seed, judgeRuns, scorers, config }: Manifest): Promise<Plan> {
  const { models, chunks, concurrency } = config as Readonly<Record<string, unknown>>
  const text = JSON.stringify({
    ...{ name, seed, judgeRuns, models, chunks, concurrency },
    dataset: 'sample',
    methods: ['closed-book'],
    scorers: scorers.map(({ use, scorer, options }) => ({ use, label: scorer, ...(options as object) })),
  })
  const unset = Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => [variable, 'not-set']))
  const folder = await mkdtemp(join(tmpdir(), 'gembench-'))
  try {
    const file = join(folder, 'config.yaml')
    await writeFile(file, text)
    return await readConfig([file], { cwd: folder, environment: { ...unset, ...process.env } }, menus)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
