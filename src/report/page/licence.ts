/** Whether everything that a licence of a dataset says is an open licence; parts stand apart by semicolons. */
export const isOpen = (licence: string): boolean => {
  const parts = licence.split(';').map((part) => part.trim())
  return parts.every((part) => open.test(part))
}

const open =
  /^(?:MIT|BSD(?:[- ]\d-Clause)?|Apache(?:[- ]2\.0)|CC0(?: 1\.0)?|CC[- ]BY(?:-SA)?(?: \d\.0)?|CDLA-Permissive \d\.0|ODC-BY(?: 1\.0)?|public domain)(?: \([^()]*\))?$/i
