type Field = string | number

/** A line of a table whose fields are quoted where they hold the separator, a quotation mark or a line break, with its line feed. */
export const quotedRow = (fields: readonly Field[], separator: string): string =>
  `${fields
    .map((field) => {
      const text = String(field)
      return text.includes(separator) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(separator)}\n`

/** A line of a table whose fields stand as they are, with its line feed. */
export const plainRow = (fields: readonly Field[]): string => `${fields.join('|')}\n`

/** A number as Python prints a float: 9.0, 0.32. */
export const pythonFloat = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(1) : String(value).replace('Infinity', 'inf').replace('NaN', 'nan')
