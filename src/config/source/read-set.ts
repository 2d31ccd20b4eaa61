import type { Change } from './merge.ts'
import { merge } from './merge.ts'
import type { ReportError } from '../errors/error-list.ts'
import { oneLine } from '../errors/error-list.ts'
import { parseYaml } from './parse-yaml.ts'
import { withoutSetSecret } from '../record/secrets.ts'

/** What `--set a.b=c` asks for; the value is YAML. Undefined when it was not understood, and then reported. */
export function readSet(set: string, folder: string, report: ReportError): Change | undefined {
  const shown = oneLine(withoutSetSecret(set))
  const at = { text: `--set ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`, order: [Infinity], folder }
  const [, key, text] = /^([^=]*)=(.*)$/s.exec(set) ?? []
  if (key === undefined || text === undefined) {
    report(at, 'must be key=value, as in --set budget.tokens=500')
    return undefined
  }
  const path = pathOf(key.trim())
  if (path.includes('')) {
    report(at, 'the key before "=" is incomplete; write names joined by single dots, as in budget.tokens')
    return undefined
  }
  const value = text.trim() === '' ? ({ kind: 'scalar', at, value: '' } as const) : parseYaml(text, () => at, report)
  return value && { at, path, value: (old) => merge(old, value, path) }
}

/** The keys of `vary` hold dots themselves. */
function pathOf(key: string): string[] {
  const [first = '', ...rest] = key.split('.')
  return first === 'vary' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
