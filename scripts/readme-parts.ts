import { program } from '../src/cli/program.ts'
import { optionDocs } from '../src/cli/ls.ts'
import { menus } from '../src/run/menus.ts'

/** The README with its generated parts made anew: each stands between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function readmeParts(readme: string): string {
  const parts: Readonly<Record<string, () => string>> = {
    methods: () => menuTable(menus.methods),
    datasets: () => menuTable(menus.datasets),
    scorers: () => menuTable(menus.scorers),
    models: () => menuTable(menus.models),
    options: () =>
      [...menus.methods, ...menus.datasets, ...menus.scorers, ...menus.models]
        .map(optionTable)
        .filter(Boolean)
        .join('\n\n'),
    help: () => `\`\`\`text\n${helpText()}\n\`\`\``,
  }
  return Object.entries(parts).reduce((text, [name, make]) => replacePart(text, name, make()), readme)
}

function replacePart(text: string, name: string, part: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!pattern.test(text)) throw new Error(`README.md has no part <!-- ${name} --> … <!-- /${name} -->`)
  return text.replace(
    pattern,
    (_whole, open: string, close: string) =>
      `${open}\n\n<!-- prettier-ignore-start -->\n\n${part}\n\n<!-- prettier-ignore-end -->\n\n${close}`,
  )
}

interface Item {
  readonly name: string
  readonly summary: string
  readonly paper?: string
  readonly source?: string
  readonly licence?: string
}

function menuTable(items: readonly Item[]): string {
  const source = items.some((item) => item.paper ?? item.source)
  const rows = items.map(({ name, summary, paper, source: from, licence }) =>
    [`\`${name}\``, summary, ...(source ? [[paper ?? from ?? '', licence].filter(Boolean).join('; ')] : [])].map(cell),
  )
  const head = ['name', 'what it is', ...(source ? ['source'] : [])]
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function optionTable(item: Item & { readonly options: Parameters<typeof optionDocs>[0] }): string {
  const options = optionDocs(item.options)
  if (options.length === 0) return ''
  const rows = options.map((option) =>
    [`\`${option.name}\``, option.type, option.default && `\`${option.default}\``, option.description].map(cell),
  )
  const head = ['option', 'type', 'default', 'meaning']
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `**\`${item.name}\`**\n\n${table}`
}

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n/g, ' ')

/** The help of every command, as a terminal of 100 columns shows it. */
export function helpText(): string {
  const main = program('0.0.0')
  const all = [main, ...main.commands.flatMap((command) => [command, ...command.commands])]
  return all
    .map((command) => {
      command.configureHelp({ helpWidth: 100 })
      return command.helpInformation().trimEnd()
    })
    .join('\n\n')
}
