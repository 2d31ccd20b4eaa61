import { z } from 'zod'
import { resultsFormat } from './manifest.ts'
import { text, texts, type FromJson } from './parts.ts'

export const seriesRecord = z.object({
  format: z.literal(resultsFormat),
  name: text,
  hash: text,
  /** The keys that are varied. */
  varied: texts,
  /** Names of the results folders of the runs, which never lead out of the folder that holds them. */
  runs: z.array(text.regex(/^[A-Za-z0-9][\w.-]*$/)).min(1),
})

/** series.json: several runs of one config, which differ in keys of the config that are varied. */
export type SeriesRecord = FromJson<z.infer<typeof seriesRecord>>
