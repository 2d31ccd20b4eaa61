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

async function dataGetCommand(name: string): Promise<void> {
  const bar = process.stderr.isTTY ? new SingleBar({ format: barFormat, stream: process.stderr }) : null
  let current = ''
  const onProgress = ({ file, bytes, total }: { file: string; bytes: number; total: number | null }): void => {
    if (file === current) bar?.update(bytes)
    else bar?.start(total ?? bytes, bytes, { file })
    current = file
  }
  const { dataset, files, folder } = await getData(name, { signal: interruptible(), onProgress }).finally(() =>
    bar?.stop(),
  )
  for (const { path, sha256, status } of files) printChecksum(`${status} ${path}`, sha256)
  print(`licence: ${dataset.licence}; source: ${dataset.source}`)
  if (dataset.download?.note) printNotice(dataset.download.note)
  print(`Next: npx gembench check ${folder} --use ${name}`)
}

export async function checkDataset(
  path: string,
  { use, set, json }: JsonFlag & { readonly use: string; readonly set: readonly string[] },
): Promise<void> {
  const options = optionValues(set)
  const counts = await checkData(use, path, options)
  if (json) {
    printJson(counts)
    return
  }
  const { files, corpora, documents, questions, tags, firstBadRecord } = counts
  printChecksum(`${plural(files.length, 'file')} of ${path}`, counts.sha256)
  for (const [kind, count] of Object.entries(counts.holds ?? {})) print(`${kind}: ${count}`)
  const tagCounts = Object.entries(tags).map(([tag, count]) => `${tag} ${count}`)
  const corpusCount = plural(corpora, 'corpus', 'corpora')
  const documentCount = plural(documents, 'document')
  const questionCount = plural(questions, 'question')
  const tagText = tagCounts.length > 0 ? ` (${tagCounts.join(', ')})` : ''
  print(`${corpusCount}, ${documentCount}, ${questionCount}${tagText}`)
  const omissions = Object.entries(counts.leftOut ?? {})
  for (const [reason, count] of omissions) print(`left out: ${reason} (${count})`)
  if (firstBadRecord !== undefined) print(`first malformed record: ${firstBadRecord}`)
}

const printChecksum = (subject: string, sha256: string): void => print(`${subject}  sha256 ${sha256}`)

const barFormat = '{file} {bar} {percentage}%  {value}/{total} bytes'
