import { homedir } from 'node:os'
import { join } from 'node:path'

/** A file of the user's own, beside those of other programs: below XDG_CONFIG_HOME, APPDATA or ~/.config. */
export function ownFile(name: string): string {
  const { XDG_CONFIG_HOME: configured, APPDATA: roaming } = process.env
  return join(configured ?? roaming ?? join(homedir(), '.config'), 'gembench', name)
}
