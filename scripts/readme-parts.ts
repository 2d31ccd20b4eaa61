import { registries } from '../src/run/plug-ins/registries.ts'

const datasets = await registries.datasets.all()

/** The README with its example made anew, which tests run. */
export const readmeParts = (readme: string, example: string): string =>
  replacePart(readme, 'example', `\n\n\`\`\`ts\n${example.trim()}\n\`\`\`\n\n`)

/** datasets/README.md with its tables made anew: the datasets, and the digests of what is downloaded. */
export const datasetsReadmeParts = (readme: string): string =>
  replacePart(replacePart(readme, 'datasets', sourcesTable(), file), 'digests', digestsTable(), file)

const file = 'datasets/README.md'

function sourcesTable(): string {
  const rows = datasets.map(({ name, licence, source, layout = '', download }) => [
    `\`${name}\``,
    licence,
    source.startsWith('https:') ? `<${source}>` : `\`${source}\``,
    layout,
    download
      ? `\`gembench data get ${name}\`${download.note ? `. ${download.note}` : ''}`
      : name === 'sample'
        ? 'nothing to do'
        : `put a copy of your own at \`datasets/${name}\``,
  ])
  return table(['name', 'licence', 'official address', 'files read', 'how to get it'], rows)
}

function digestsTable(): string {
  const rows = datasets.flatMap(({ name, download }) =>
    (download?.files ?? []).map(({ name: fileName, url, sha256 }) => [
      `\`${name}\``,
      `[${fileName}](${url})`,
      sha256 ? `\`${sha256}\`` : 'not known',
    ]),
  )
  return table(['dataset', 'file', 'SHA-256'], rows)
}

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n')

function replacePart(text: string, name: string, part: string, from = 'README.md'): string {
  const pattern = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!pattern.test(text)) throw new Error(`${from} has no part <!-- ${name} --> … <!-- /${name} -->`)
  return text.replace(
    pattern,
    (_whole, open: string, close: string) => `${open}\n\n<!-- prettier-ignore -->\n${part}\n\n${close}`,
  )
}

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n/g, ' ')
