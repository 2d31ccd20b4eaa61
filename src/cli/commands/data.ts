import type { Command } from 'commander'
import { examples } from '../flags.ts'
import { SingleBar } from 'cli-progress'
import { plural } from '../../text/amounts.ts'
import { checkData, getData } from '../../run/index.ts'
import { interruptible } from '../ending.ts'
import { optionValues } from '../plan.ts'
import { printNotice, print, printJson, type JsonFlag } from '../terminal/print.ts'

export const setUp = (command: Command): Command =>
  command
    .command('get')
    .description('Download a dataset from its official address into datasets/<name>/')
    .argument('<name>', 'name of the dataset')
    .action(dataGetCommand)
    .addHelpText('after', examples('gembench data get ragbench'))

/** `gembench data get`: downloads a dataset and prints its licence. */
async function dataGetCommand(name: string): Promise<void> {
  const bar = process.stderr.isTTY ? new SingleBar({ format: messages.progress, stream: process.stderr }) : null
  let current = ''
  const onProgress = ({ file, bytes, total }: { file: string; bytes: number; total: number | null }): void => {
    if (file === current) bar?.update(bytes)
    else bar?.start(total ?? bytes, bytes, { file })
    current = file
  }
  const { dataset, files, folder } = await getData(name, { signal: interruptible(), onProgress }).finally(() =>
    bar?.stop(),
  )
  for (const { path, sha256, status } of files) print(messages.checksum(`${status} ${path}`, sha256))
  print(messages.origin(dataset))
  if (dataset.download?.note) printNotice(dataset.download.note)
  print(messages.next(folder, name))
}

/** `gembench check --use`: prints counts of a dataset, or the place of its first error. */
export async function checkDataset(
  path: string,
  { use, set, json }: JsonFlag & { readonly use: string; readonly set: readonly string[] },
): Promise<void> {
  const options = optionValues(set)
  const counts = await checkData(use, path, options)
  if (json) printJson(counts)
  else {
    if (counts.files.length > MOST_FILES)
      print(messages.checksum(`${counts.files.length} files in ${path}`, counts.sha256))
    else for (const { path: file, sha256 } of counts.files) print(messages.checksum(file, sha256))
    for (const [kind, count] of Object.entries(counts.holds ?? {})) print(messages.holds(kind, count))
    print(messages.counts(counts))
    for (const [reason, count] of Object.entries(counts.leftOut ?? {})) print(messages.leftOut(reason, count))
    if (counts.firstBadRecord !== undefined) print(messages.firstBadRecord(counts.firstBadRecord))
  }
}

/** Files listed individually; more get one joint checksum. */
const MOST_FILES = 20

const messages = {
  progress: '{file} {bar} {percentage}%  {value}/{total} bytes',
  checksum: (subject: string, sha256: string) => `${subject}  sha256 ${sha256}`,
  origin: ({ licence, source }: { licence: string; source: string }) => `licence: ${licence}; source: ${source}`,
  next: (folder: string, dataset: string) => `Next: npx gembench check ${folder} --use ${dataset}`,
  holds: (kind: string, count: number) => `${kind}: ${count}`,
  counts: ({ corpora, documents, questions, tags }: Awaited<ReturnType<typeof checkData>>) => {
    const tagCounts = Object.entries(tags).map(([tag, count]) => `${tag} ${count}`)
    return `${plural(corpora, 'corpus', 'corpora')}, ${plural(documents, 'document')}, ${plural(questions, 'question')}${tagCounts.length > 0 ? ` (${tagCounts.join(', ')})` : ''}`
  },
  leftOut: (reason: string, count: number) => `left out: ${reason} (${count})`,
  firstBadRecord: (record: string) => `first malformed record: ${record}`,
}
