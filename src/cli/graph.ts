import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { messageOf, UserError } from '../errors.ts'
import { exportGraph, type GraphFormat } from '../report/graph/export.ts'
import { mark } from '../report/graph/mark.ts'
import { draw, drawText, replaceFile } from '../run/index.ts'
import type { Drawing } from '../types.ts'
import { interruptible } from './interrupt.ts'
import { planOf, settingsOf, type PlanFlags } from './plan.ts'
import { complain, print } from './print.ts'
import { plain } from './terminal-grid.ts'

export interface GraphFlags extends Omit<PlanFlags, 'config'> {
  readonly config?: readonly string[]
  readonly text?: string
  readonly method?: string
  readonly corpus?: string
  readonly ask: readonly string[]
  readonly format: GraphFormat
  readonly output?: string
  readonly force: boolean
}

/** `gembench graph`: the memory of one corpus, as a page or for another program. */
export async function graphCommand(flags: GraphFlags): Promise<void> {
  const file = flags.output ?? `graph.${flags.format}`
  if (!flags.force) await refuseStrangers(file)
  const drawing = await drawn(flags)
  if (drawing.failed > 0) complain(`${drawing.failed} questions could not be looked up: a call to a model failed`)
  const { text, leftOut } = exportGraph(flags.format, drawing)
  await replaceFile(file, text)
  const { nodes, edges } = drawing.graph
  const kilobytes = Math.ceil(Buffer.byteLength(text) / 1000)
  print(
    `${plain(drawing.method)} on ${plain(drawing.corpus)}: ${nodes.length} nodes, ${edges.length} edges, ${drawing.lookups.length} questions looked up`,
  )
  if (leftOut.edges > 0 || leftOut.questions > 0)
    complain(
      `the page has room for the heaviest ${edges.length - leftOut.edges} edges and ${drawing.lookups.length - leftOut.questions} questions; --format graphml and json keep all`,
    )
  print(`wrote ${relative(process.cwd(), file)}  ${kilobytes.toLocaleString('en-US')} kB`)
}

async function drawn(flags: GraphFlags): Promise<Drawing> {
  const { config, text, corpus, method, ask } = flags
  if (ask.some((question) => question.trim() === '')) throw new UserError('--ask needs a question')
  const settings = settingsOf(flags, interruptible())
  const sketch = { ask, ...(method !== undefined && { method }), ...(corpus !== undefined && { corpus }) }
  if (text !== undefined) {
    refuseWithText(flags)
    return drawText(text, sketch, { ...settings, set: flags.set, cwd: process.cwd(), environment: process.env })
  }
  if (!config) throw new UserError('nothing to draw: give a config with -c FILE, or a text with --text FILE')
  return draw(await planOf({ ...flags, config }), sketch, settings)
}

/** A text is one corpus without questions, drawn by one method. */
function refuseWithText({ config, corpus, limit, methods }: GraphFlags): void {
  if (config) throw new UserError('--text stands for a config: give one of --text and --config')
  const given = { '--corpus': corpus, '--limit': limit, '--methods': methods }
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length === 0) return
  throw new UserError(
    `--text takes no ${names.join(' and no ')}: a text is one corpus without questions, drawn by the one --method`,
  )
}

/** A file that the command did not write is not overwritten; that it can be written is known before anything is asked. */
async function refuseStrangers(file: string): Promise<void> {
  const beginning = await beginningOf(file)
  if (beginning !== '' && !beginning.includes(mark))
    throw new UserError(
      `${file}: was not made by this command, so it stays as it is; give another --output, or --force`,
    )
}

/** The first 200 bytes of a file; none where there is no file yet. */
async function beginningOf(file: string): Promise<string> {
  try {
    if (!existsSync(file) && existsSync(dirname(file))) return ''
    const handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0).finally(() => handle.close())
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    throw new UserError(`${file}: cannot be written here (${messageOf(error)})`, { cause: error })
  }
}
