import { UserError } from '../errors.ts'

/** Returns the id. Throws UserError for a number that a spreadsheet rounded, such as 1.23457E+18. */
export function checkId(id: string, name: string, where: string): string {
  if (!/^\d(?:[.,]\d+)?[eE]\+\d+$/.test(id)) return id
  throw new UserError(
    `${where}: "${name}" is ${id}, a number that a spreadsheet cut short: make its column one of text and write it again`,
  )
}
