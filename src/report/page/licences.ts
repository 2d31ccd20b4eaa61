import type { PageRun } from './questions.ts'

/** Warnings about datasets without an open licence. */
export const licenceNotices = (runs: readonly PageRun[]): readonly string[] => {
  const datasets = runs.map(({ manifest }) => manifest.dataset).filter(({ licence }) => !isOpen(licence))
  const notices = datasets.map(
    ({ name, licence }) =>
      `This page holds texts of ${name}, whose licence is not open (${licence === '' ? 'none is stated' : licence}): do not publish it. --no-texts omits them.`,
  )
  return [...new Set(notices)]
}

/** Whether every part of a dataset's licence, separated by semicolons, is open. */
export const isOpen = (licence: string): boolean => licence.split(';').every((part) => open.test(part.trim()))

const open =
  /^(?:MIT|BSD(?:[- ]\d-Clause)?|Apache(?:[- ]2\.0)|CC0(?: 1\.0)?|CC[- ]BY(?:-SA)?(?: \d\.0)?|CDLA-Permissive \d\.0|ODC-BY(?: 1\.0)?|public domain)(?: \([^()]*\))?$/i
