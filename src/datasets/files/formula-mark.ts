/**
 * A text of a CSV cell with an apostrophe before it where a spreadsheet would take it for a formula, or where apostrophes and then such a sign
 * begin it; `withoutFormulaMark` gives every text back as it was.
 */
export const withFormulaMark = (text: string): string =>
  /^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text

/** The text that `withFormulaMark` was given. */
export const withoutFormulaMark = (text: string): string => text.replace(/^'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/, '')
