import { UserError } from '../errors.ts'

/** An id as it is. Throws UserError for a number that spreadsheets and data frames cut short, such as 1.23457E+18. */
export function wholeId(id: string, name: string, where: string): string {
  if (!/^\d(?:[.,]\d+)?[eE]\+\d+$/.test(id)) return id
  throw new UserError(
    `${where}: "${name}" is ${id}, a number that a spreadsheet cut short: make its column one of text and write it again`,
  )
}
