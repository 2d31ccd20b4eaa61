import { homedir } from 'node:os'
import { join } from 'node:path'

/** A file in the user's config folder: below XDG_CONFIG_HOME, APPDATA or ~/.config. */
export function userConfigFile(name: string): string {
  const { XDG_CONFIG_HOME: configHome, APPDATA: roaming } = process.env
  return join(configHome ?? roaming ?? join(homedir(), '.config'), 'gembench', name)
}
