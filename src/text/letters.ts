/** A text without everything that is no letter or digit: what two texts share when they differ in white space and punctuation alone. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether a text holds a letter or a digit. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
