import { relative } from 'node:path'
import type { Plan, ReadSettings } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { exportGraph, type GraphFormat } from '../../report/graph/export.ts'
import { mark, refuseForeignFile } from '../../basics/files.ts'
import { plural } from '../../report/render/amounts.ts'
import { componentWords } from '../../report/render/graph-health.ts'
import {
  draw,
  drawText,
  replaceFile,
  saveIndex,
  saveTextIndex,
  type GraphRequest,
  type Settings,
} from '../../run/index.ts'
import type { Drawing } from '../../types.ts'
import { configsOf, howToConfigure, atHome, planOf, refuseFlags, settingsOf, type PlanFlags } from '../plan.ts'
import { interruptible } from '../ending.ts'
import { printNotice, print } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'

export interface GraphFlags extends PlanFlags {
  readonly text?: string
  readonly method?: string
  readonly corpus?: string
  readonly ask: readonly string[]
  readonly format: GraphFormat | 'gem'
  readonly output?: string
  readonly force: boolean
}

/** `gembench graph`: the memory of one corpus, as a page, for another program, or whole. */
export async function graphCommand(flags: GraphFlags): Promise<void> {
  const { format } = flags
  const file = flags.output ?? `graph.${format === 'gem' ? 'gem.json' : format}`
  if (!flags.force) await refuseForeignFile(file)
  return format === 'gem' ? writeIndex(file, flags) : writeDrawing(file, format, flags)
}

async function writeDrawing(file: string, format: GraphFormat, flags: GraphFlags): Promise<void> {
  const drawing = await drawn(flags)
  if (drawing.failed > 0)
    printNotice(`${plural(drawing.failed, 'question')} could not be looked up because a call to a model failed`)
  const { text, leftOut } = exportGraph(format, drawing)
  await replaceFile(file, text)
  const { nodes, edges } = drawing.graph
  print(
    `${plain(drawing.method)} on ${plain(drawing.corpus)}: ${plural(nodes.length, 'node')}, ${plural(edges.length, 'edge')}, ${plural(drawing.lookups.length, 'question')} looked up`,
  )
  for (const fact of componentWords(drawing.health)) print(`  ${fact}`)
  if (drawing.graph.leftOut !== undefined && drawing.graph.leftOut > 0)
    printNotice(
      `only the strongest edges of every node are drawn, in every format: ${drawing.graph.leftOut} weaker ones were left out`,
    )
  if (leftOut.edges > 0 || leftOut.questions > 0)
    printNotice(
      `the page is limited to ${plural(edges.length - leftOut.edges, 'edge')} with the highest weights and ${plural(drawing.lookups.length - leftOut.questions, 'question')}; --format graphml or json writes all of them`,
    )
  printWritten(file, text)
}

/** The index of one corpus with all that `gembench query --graph` needs; no question is looked up. */
async function writeIndex(file: string, flags: GraphFlags): Promise<void> {
  if (flags.ask.length > 0)
    throw new UserError('--ask cannot be combined with --format gem: ask the file with gembench query --graph')
  const saved = await onCorpus(flags, saveIndex, saveTextIndex)
  const text = jsonOf({ mark, ...saved })
  await replaceFile(file, text)
  print(`${plain(saved.method)} on ${plain(saved.corpus)}: ${plural(saved.chunks.length, 'chunk')}`)
  printWritten(file, text)
}

/** Throws UserError for what is longer than a text can be, about 500 MB. */
function jsonOf(value: unknown): string {
  try {
    return `${JSON.stringify(value)}\n`
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UserError('the index is too large for a JSON file (about 500 MB); export a smaller corpus', {
      cause: error,
    })
  }
}

const printWritten = (file: string, text: string): void =>
  print(
    `wrote ${relative(process.cwd(), file)}  ${Math.ceil(Buffer.byteLength(text) / 1000).toLocaleString('en-US')} kB`,
  )

async function drawn(flags: GraphFlags): Promise<Drawing> {
  if (flags.ask.some((question) => question.trim() === ''))
    throw new UserError('--ask: the question is empty; write --ask "the question"')
  return onCorpus(flags, draw, drawText)
}

/** Does one of two things with the corpus that the flags name: that of a config, or a text. */
async function onCorpus<T>(flags: GraphFlags, ofPlan: WithCorpus<Plan, T>, ofText: WithCorpus<string, T>): Promise<T> {
  const { text, corpus, method, ask } = flags
  const settings = { ...settingsOf(flags, interruptible()), ...atHome(flags.set) }
  const request = { ask, ...(method !== undefined && { method }), ...(corpus !== undefined && { corpus }) }
  if (text !== undefined) {
    refuseWithText(flags)
    return ofText(text, request, settings)
  }
  const config = configsOf(flags.config)
  if (!config) throw new UserError(`nothing to draw: ${howToConfigure}, or give a text with --text FILE`)
  return ofPlan(await planOf(flags), request, settings)
}

type WithCorpus<From, T> = (from: From, request: GraphRequest, settings: Settings & ReadSettings) => Promise<T>

/** A text is one corpus without questions, drawn by one method. */
function refuseWithText({ config, corpus, limit, methods }: GraphFlags): void {
  if (config) throw new UserError('--text replaces a config: give either --text or --config')
  refuseFlags(
    '--text',
    { '--corpus': corpus, '--limit': limit, '--methods': methods },
    'a text is one corpus without questions, drawn by the one method that --method names',
  )
}
