/** The last part of a name that came from outside, as a plain file name: it never leaves the folder that it is joined to. */
export function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  return last.replace(/[^\w.+-]+/g, '_').replace(/^\.+/, '') || 'file'
}
