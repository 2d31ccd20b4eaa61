import { SingleBar } from 'cli-progress'
import pc from 'picocolors'
import { parse } from 'yaml'
import { UserError } from '../errors.ts'
import { checkData, getData, shelvedData } from '../run/index.ts'
import { interruptible } from './interrupt.ts'
import { complain, print, printJson, type JsonFlag } from './print.ts'

export interface CheckFlags extends JsonFlag {
  readonly use: string
  readonly set: readonly string[]
}

/** `gembench data ls`: every dataset, and which are here. */
export async function dataListCommand({ json }: JsonFlag): Promise<void> {
  const shelved = await shelvedData()
  if (json) {
    printJson(shelved)
    return
  }
  for (const { name, summary, licence, source, here, path } of shelved) {
    print(`${pc.bold(name)}  ${summary}`)
    print(pc.dim(`  ${here ? `here: ${path}` : `not here: gembench data get ${name}`}; ${licence}; ${source}`))
  }
}

/** `gembench data get`: brings a dataset and says under which licence. */
export async function dataGetCommand(name: string): Promise<void> {
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: '{file} {bar} {percentage}%  {value}/{total} bytes', stream: process.stderr })
    : null
  let current = ''
  const onProgress = ({ file, bytes, total }: { file: string; bytes: number; total: number | null }): void => {
    if (file === current) bar?.update(bytes)
    else bar?.start(total ?? bytes, bytes, { file })
    current = file
  }
  const { dataset, files, folder } = await getData(name, { signal: interruptible(), onProgress }).finally(() =>
    bar?.stop(),
  )
  for (const { path, sha256, status } of files) print(`${status} ${path}  sha256 ${sha256}`)
  print(`licence: ${dataset.licence}; source: ${dataset.source}`)
  if (dataset.download?.note) complain(dataset.download.note)
  print(`check it: gembench data check ${folder} --use ${name}`)
}

/** `gembench data check`: counts what a file holds, or says what is wrong with it and where. */
export async function dataCheckCommand(path: string, { use, set, json }: CheckFlags): Promise<void> {
  const options = Object.fromEntries(
    set.map((assignment) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
      if (key === '') throw new UserError(`--set ${assignment}: expected option=value`)
      return [key, parse(value) as unknown]
    }),
  )
  const counts = await checkData(use, path, options)
  if (json) printJson(counts)
  else {
    for (const { path: file, sha256 } of counts.files) print(`${file}  sha256 ${sha256}`)
    const tags = Object.entries(counts.tags).map(([tag, count]) => `${tag} ${count}`)
    print(
      `${counts.corpora} corpora, ${counts.documents} documents, ${counts.questions} questions${tags.length > 0 ? ` (${tags.join(', ')})` : ''}`,
    )
    for (const [what, count] of Object.entries(counts.leftOut ?? {})) print(`left out: ${count} ${what}`)
  }
}
