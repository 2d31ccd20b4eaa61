/** Kinds of file that hold documents. */
export const formats = ['txt', 'md', 'html', 'pdf', 'docx', 'csv', 'json'] as const

export type Format = (typeof formats)[number]

const endings: Readonly<Record<Format, RegExp>> = {
  txt: /\.(txt|text)(\.gz)?$/i,
  md: /\.(md|markdown)(\.gz)?$/i,
  html: /\.(html?|xhtml)(\.gz)?$/i,
  pdf: /\.pdf$/i,
  docx: /\.docx$/i,
  csv: /\.(csv|tsv)(\.gz)?$/i,
  json: /\.(jsonl|ndjson|json)(\.gz)?$/i,
}

/** The kind of a file by the end of its name; undefined for any other. */
export const formatOf = (name: string): Format | undefined => formats.find((format) => endings[format].test(name))
