import { Option, type Command } from 'commander'
import { collect, examples, withPlan } from '../flags.ts'
import { relative } from 'node:path'
import { UserError } from '../../errors.ts'
import { exportGraph, type GraphFormat } from '../../report/graph/export.ts'
import { refuseForeignFile } from '../../basics/files.ts'
import { plural } from '../../text/amounts.ts'
import { componentWords } from '../../report/render/row-columns.ts'
import { draw, drawText, replaceFile } from '../../run/index.ts'
import type { Drawing } from '../../types.ts'
import { configsOf, howToConfigure, readSettingsOf, planOf, refuseFlags, settingsOf, type PlanFlags } from '../plan.ts'
import { interruptible } from '../ending.ts'
import { printNotice, print } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'

interface GraphFlags extends PlanFlags {
  readonly text?: string
  readonly method?: string
  readonly corpus?: string
  readonly ask: readonly string[]
  readonly format: GraphFormat
  readonly output?: string
  readonly force: boolean
}

export const setUp = (command: Command): Command =>
  withPlan(command)
    .option(
      '--text <file>',
      'draw a text file in place of a config, by gem-rag and offline models (--method and --set change them)',
    )
    .option('-m, --method <label>', 'which method (default: the first of the config that has a graph)')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--ask <question>', 'also look up this question (repeatable)', collect, [])
    .addOption(new Option('--format <format>', 'file format').choices(['html', 'graphml', 'json']).default('html'))
    .option(
      '-o, --output <file>',
      'file to write (default: graph.<format>); the report of a run links a page in its results folder',
    )
    .option('--force', 'overwrite a file that this command did not make', false)
    .action(graphCommand)
    .addHelpText(
      'after',
      examples('gembench graph -c configs/quickstart.yaml -m gem-rag -o graph.html', 'gembench graph --text notes.txt'),
    )

/** `gembench graph`: writes the graph of one corpus, as a page or for other programs. */
async function graphCommand(flags: GraphFlags): Promise<void> {
  const { format, output: file = `graph.${format}` } = flags
  if (!flags.force) await refuseForeignFile(file)
  const drawing = await drawGraph(flags)
  if (drawing.failed > 0) printNotice(messages.failedQuestions(drawing.failed))
  const { text, leftOut } = await exportGraph(format, drawing)
  await replaceFile(file, text)
  print(messages.size(drawing))
  for (const fact of componentWords(drawing.health)) print(messages.component(fact))
  const { edges, leftOut: weakEdges = 0 } = drawing.graph
  if (weakEdges > 0) printNotice(messages.weakEdges(weakEdges))
  if (leftOut > 0) printNotice(messages.strongEdges(edges.length - leftOut))
  print(messages.wrote(file, text))
}

async function drawGraph(flags: GraphFlags): Promise<Drawing> {
  const { text, corpus, method, ask } = flags
  if (ask.some((question) => question.trim() === '')) throw new UserError(messages.emptyQuestion)
  const settings = { ...settingsOf(flags, interruptible()), ...readSettingsOf(flags.set) }
  const request = { ask, ...(method !== undefined && { method }), ...(corpus !== undefined && { corpus }) }
  if (text !== undefined) {
    refuseWithText(flags)
    return drawText(text, request, settings)
  }
  const config = configsOf(flags.config)
  if (!config) throw new UserError(messages.missingConfig)
  return draw(await planOf(flags), request, settings)
}

/** A text is one corpus without questions, for one method. */
function refuseWithText({ config, corpus, limit, methods }: GraphFlags): void {
  if (config) throw new UserError(messages.textAndConfig)
  refuseFlags('--text', { '--corpus': corpus, '--limit': limit, '--methods': methods }, messages.textFlags)
}

const messages = {
  failedQuestions: (count: number) => `note: ${plural(count, 'question')} could not be looked up: a model call failed`,
  size: ({ method, corpus, graph: { nodes, edges }, lookups }: Drawing) =>
    `${plain(method)} on ${plain(corpus)}: ${plural(nodes.length, 'node')}, ${plural(edges.length, 'edge')}, ${plural(lookups.length, 'question')} looked up`,
  component: (fact: string) => `  ${fact}`,
  weakEdges: (count: number) => `note: ${count} weak edges were left out: only the strongest of every node are drawn`,
  strongEdges: (count: number) =>
    `note: the page shows ${plural(count, 'edge')} with the highest weights; --format graphml or json writes all`,
  wrote: (file: string, text: string) =>
    `wrote ${relative(process.cwd(), file)}  ${Math.ceil(Buffer.byteLength(text) / 1000).toLocaleString('en-US')} kB`,
  emptyQuestion: '--ask: the question is empty; write --ask "the question"',
  missingConfig: `no config: ${howToConfigure}, or give a text with --text FILE`,
  textAndConfig: '--text and --config exclude each other: a text replaces a config',
  textFlags: 'a text has one corpus and no questions; --method names its method',
}
