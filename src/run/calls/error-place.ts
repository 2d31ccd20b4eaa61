import { findSourceMap } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../basics/files.ts'
import { messageOf } from '../../errors.ts'

const folders = new Set<string>()

/** Node's default of ten frames may all be in a library. */
const frames = 50

/** Registers a plug-in's file, so that messages of its errors name their place. */
export function registerPlugIn(file: string): void {
  folders.add(dirname(file))
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, frames)
}

/** What went wrong in one line, with the place where a plug-in's file is to blame: `… (mine.ts:12:7)`. */
export const placedMessageOf = (error: unknown): string => withPlace(messageOf(error), error)

/** A message with the place of an error in a plug-in's file, if it has one. */
export function withPlace(message: string, error: unknown): string {
  const place = placeOf(error)
  return place === undefined ? message : `${message} (${place})`
}

/** File, line and column of the topmost frame in a plug-in's folder; undefined where there is none. */
export function placeOf(error: unknown): string | undefined {
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

const withoutQuery = (location: string): string => location.replace(/\?.*$/, '')

/** The position in the file as it was written. */
function positionOf(location: string, row: number, column: number): string {
  const origin = findSourceMap(location)?.findOrigin(row, column)
  return origin && 'lineNumber' in origin ? `${origin.lineNumber}:${origin.columnNumber}` : `${row}:${column}`
}

const ownFolders = ['src', 'dist'].map((folder) => join(packageFolder, folder) + sep)

/** The nearest plug-in folder of a file; none for this package and for installed ones. */
function folderOf(file: string): string | undefined {
  if (file.includes(`${sep}node_modules${sep}`) || ownFolders.some((folder) => file.startsWith(folder)))
    return undefined
  return [...folders].filter((folder) => file.startsWith(folder + sep)).sort((a, b) => b.length - a.length)[0]
}
