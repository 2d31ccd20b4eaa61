import { findSourceMap } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../basics/files.ts'
import { messageOf, cutBytes, ModelError, PlugInError, UserError } from '../../errors.ts'
import type { Failure } from '../../records.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Phase } from '../../types.ts'

const folders = new Set<string>()

/** Node's default of ten frames may all be in a library. */
const frames = 50

/** Registers a plug-in's file, so that messages of its errors name their place. */
export function registerPlugIn(file: string) {
  folders.add(dirname(file))
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, frames)
}

/** What went wrong in one line, with the place where a plug-in's file is to blame: `… (mine.ts:12:7)`. */
export const placedMessageOf = (error: unknown) => withPlace(messageOf(error), error)

/** A message with the place of an error in a plug-in's file, if it has one. */
export function withPlace(message: string, error: unknown) {
  const place = placeOf(error)
  return place === undefined ? message : `${message} (${place})`
}

/** File, line and column of the topmost frame in a plug-in's folder; undefined where there is none. */
export function placeOf(error: unknown) {
  if (!(error instanceof Error) || folders.size === 0) return undefined
  for (const line of (error.stack ?? '').split('\n')) {
    const frame = frameOf(line)
    const folder = frame && folderOf(frame.file)
    if (frame && folder !== undefined)
      return `${relative(folder, frame.file).split(sep).join('/')}${frame.position ? `:${frame.position}` : ''}`
  }
  return undefined
}

/** The file and position of `    at name (file:///folder/mine.ts?query:1:158)`, or of a mapped path. */
function frameOf(line: string): { readonly file: string; readonly position?: string } | undefined {
  const [, location = '', row = '', column = ''] = /^\s+at (?:.*? \()?(.+?):(\d+):(\d+)\)?$/.exec(line) ?? []
  // a file that is run as CommonJS is hidden in an address of data, which names it but not its lines
  const dataUrlPath = /^data:.*\?filePath=([^:]+)$/.exec(location)?.[1]
  if (dataUrlPath !== undefined) return { file: withoutQuery(decodeURIComponent(dataUrlPath)) }
  if (!location.startsWith('file:'))
    return location === '' ? undefined : { file: location, position: `${row}:${column}` }
  return { file: fileURLToPath(withoutQuery(location)), position: positionOf(location, Number(row), Number(column)) }
}

const withoutQuery = (location: string) => location.replace(/\?.*$/, '')

/** The position in the file as it was written. */
function positionOf(location: string, row: number, column: number) {
  const origin = findSourceMap(location)?.findOrigin(row, column)
  return origin && 'lineNumber' in origin ? `${origin.lineNumber}:${origin.columnNumber}` : `${row}:${column}`
}

const ownFolders = ['src', 'dist'].map((folder) => join(packageFolder, folder) + sep)

/** The nearest plug-in folder of a file; none for this package and for installed ones. */
function folderOf(file: string) {
  if (file.includes(`${sep}node_modules${sep}`) || ownFolders.some((folder) => file.startsWith(folder)))
    return undefined
  return [...folders].filter((folder) => file.startsWith(folder + sep)).sort((a, b) => b.length - a.length)[0]
}

/** An error as one line with its place. `doing`: the function, as messages name it. */
export const plainError = (error: unknown, doing: string): PlugInError =>
  new PlugInError(withPlace(wordsOf(error, doing), error))

function wordsOf(error: unknown, doing: string) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `${doing} threw ${describe(error)}`
  const words = messageOf(error)
  if (words === '') return `${doing} threw an error without a message`
  return error instanceof TypeError && isRefusedWrite(words)
    ? `${doing} changed what it was given, or another frozen object: ${words}`
    : words
}

/** Whether V8 reports a frozen object. */
const isRefusedWrite = (words: string) =>
  /^Cannot (assign to read only|delete|redefine|define|add) property|is not extensible/.test(words)

/** Longest recorded part of an unusable reply, in bytes. */
const keptReply = 16_000

/** Makes an outcome of what was thrown. UserErrors are thrown on: they end the run. */
export function failureOf(phase: Phase, error: unknown): Failure {
  if (error instanceof UserError) throw error
  if (!(error instanceof ModelError)) return { phase, kind: 'method', message: placedMessageOf(error) }
  return {
    phase,
    kind: error.kind,
    // the stand-in of a task may have thrown
    message: withPlace(messageOf(error), error.cause),
    ...(error.raw !== undefined && { raw: cutBytes(error.raw, keptReply) }),
  }
}
