import { itemAt } from '../basics/collections.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DownloadOptions } from '../datasets/download/download.ts'
import { checkDataset, checksumOf, findDataset, datasets, download, fileChecksums } from '../datasets/index.ts'
import { fieldsOf } from '../define.ts'
import { UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { loadPlugIn } from './plug-ins/import-plug-in.ts'
import { defaultPath } from './prepare/prepare.ts'

export type DatasetStatus = Awaited<ReturnType<typeof datasetStatuses>>[number]

/** The built-in datasets. `here`: its default path exists; `brought`: `gembench data get` downloads it. */
export async function datasetStatuses() {
  return (await datasets.all()).map(({ name, summary, licence, source, download }) => {
    const path = defaultPath(name)
    return { name, summary, licence, source, path, here: existsSync(path), brought: download !== undefined }
  })
}

/** Reads and counts a dataset. `sha256`: the checksum that a table shows. Throws UserError with the place. */
export async function checkData(
  name: string,
  path: string,
  { onBadRecord, ...options }: Readonly<Record<string, unknown>>,
) {
  if (isFileName(name) && !existsSync(name))
    throw new UserError(`${name}: no such file; expected one that exports a dataset`)
  const dataset = isFileName(name) ? await loadPlugIn('dataset', resolve(name)) : await findDataset(name)
  if (onBadRecord !== undefined && onBadRecord !== 'stop' && onBadRecord !== 'skip')
    throw new UserError('onBadRecord must be stop or skip')
  const { data, error } = dataset.options.safeParse(options)
  const [issue] = error?.issues ?? []
  if (issue?.code === 'unrecognized_keys')
    throw new UserError(unknownName(`option of ${name}`, itemAt(issue.keys, 0), Object.keys(fieldsOf(dataset.options))))
  if (issue) throw new UserError(`option "${issue.path.join('.')}" of ${name}: ${issue.message}`)
  const counts = await checkDataset(dataset, path, data, onBadRecord)
  const files = await dataset.files(path, data)
  const digests = await fileChecksums(files)
  return {
    sha256: checksumOf(digests),
    files: files.map((path, index) => ({ path, sha256: itemAt(digests, index) })),
    ...counts,
  }
}

const isFileName = (name: string) => /\.(ts|js|mjs)$/.test(name)

/** Downloads a dataset into `datasets/<name>/`. Throws UserError when it cannot be had. */
export async function getData(name: string, settings: DownloadOptions) {
  const dataset = await findDataset(name)
  const folder = defaultPath(name)
  return { dataset, folder, files: await download(dataset, folder, settings) }
}
