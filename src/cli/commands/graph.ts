import { Option, type Command } from 'commander'
import { collect, examples, withPlan } from '../flags.ts'
import { relative } from 'node:path'
import { UserError } from '../../errors.ts'
import { graphPage } from '../../report/graph/page.ts'
import { refuseForeignFile } from '../../basics/files.ts'
import { plural } from '../../text/amounts.ts'
import { componentWords } from '../../report/render/row-columns.ts'
import { draw, drawText, replaceFile } from '../../run/index.ts'
import type { Drawing } from '../../types.ts'
import { configsOf, howToConfigure, readSettingsOf, planOf, settingsOf, type PlanFlags } from '../plan.ts'
import { interruptible } from '../ending.ts'
import { printNotice, print } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'

interface GraphFlags extends PlanFlags {
  readonly text?: string
  readonly method?: string
  readonly corpus?: string
  readonly ask: readonly string[]
  readonly output: string
  readonly force: boolean
}

export const setUp = (command: Command): Command =>
  withPlan(command)
    .addOption(
      new Option(
        '--text <path>',
        'draw documents in place of a config, by gem-rag and offline models (--method and --set change them)',
      ).conflicts(['config', 'corpus', 'limit', 'methods']),
    )
    .option('-m, --method <label>', 'which method (default: the first of the config that has a graph)')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--ask <question>', 'also look up this question (repeatable)', collect, [])
    .option(
      '-o, --output <file>',
      'file to write; the report of a run links a page in its results folder',
      'graph.html',
    )
    .option('--force', 'overwrite a file that this command did not make', false)
    .action(graphCommand)
    .addHelpText(
      'after',
      examples('gembench graph -c configs/quickstart.yaml -m gem-rag -o graph.html', 'gembench graph --text notes.txt'),
    )

async function graphCommand(flags: GraphFlags) {
  const { output: file } = flags
  if (!flags.force) await refuseForeignFile(file)
  const drawing = await drawGraph(flags)
  const { method, corpus, graph, lookups, failed } = drawing
  if (failed > 0) printNotice(`note: ${plural(failed, 'question')} could not be looked up: a model call failed`)
  const { text, leftOut } = await graphPage(drawing)
  await replaceFile(file, text)
  const { nodes, edges, leftOut: weakEdges = 0 } = graph
  const sizes = `${plural(nodes.length, 'node')}, ${plural(edges.length, 'edge')}`
  print(`${plain(method)} on ${plain(corpus)}: ${sizes}, ${plural(lookups.length, 'question')} looked up`)
  for (const fact of componentWords(drawing.health)) print(`  ${fact}`)
  if (weakEdges > 0)
    printNotice(`note: ${weakEdges} weak edges were left out: only the strongest of every node are drawn`)
  if (leftOut > 0)
    printNotice(`note: the page shows ${plural(edges.length - leftOut, 'edge')} with the highest weights`)
  const kilobytes = Math.ceil(Buffer.byteLength(text) / 1000).toLocaleString('en-US')
  print(`wrote ${relative(process.cwd(), file)}  ${kilobytes} kB`)
}

async function drawGraph(flags: GraphFlags): Promise<Drawing> {
  const { text, corpus, method, ask } = flags
  if (ask.some((question) => question.trim() === ''))
    throw new UserError('--ask: the question is empty; write --ask "the question"')
  const settings = { ...settingsOf(flags, interruptible()), ...readSettingsOf(flags.set) }
  const request = { ask, ...(method !== undefined && { method }), ...(corpus !== undefined && { corpus }) }
  if (text !== undefined) {
    return drawText(text, request, settings)
  }
  if (!configsOf(flags.config)) throw new UserError(`no config: ${howToConfigure}, or give a text with --text FILE`)
  return draw(await planOf(flags), request, settings)
}
