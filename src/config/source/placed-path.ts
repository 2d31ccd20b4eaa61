import { resolve } from 'node:path'
import { rememberPlace } from '../../basics/path-places.ts'
import { writtenText, type Located } from './located-value.ts'

/** A path seen from the folder of the place where it is written, and that place remembered for messages about it. */
export function placedPath(path: string, node: Located): string {
  const whole = resolve(node.at.folder, path)
  rememberPlace(whole, { at: node.at.text, written: writtenText(node) ?? path })
  return whole
}
