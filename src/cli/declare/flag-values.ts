import { InvalidArgumentError } from 'commander'

/** Of a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Values separated by commas. */
export const commaList = (value: string): readonly string[] => value.split(',').map((one) => one.trim())

/** Names of rows separated by commas. A comma within brackets is part of a name, such as "raptor (clusters=2, layers=1)". */
export const rowList = (value: string): readonly string[] => value.split(/,(?![^(]*\))/).map((one) => one.trim())

/** Above 0 and below 1. */
export function fraction(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError('It must be a number above 0 and below 1.')
  return number
}

/** Above 0, up to 1. */
export function shareAboveZero(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN
  if (!(number > 0 && number <= 1)) throw new InvalidArgumentError('It must be a number above 0, and no more than 1.')
  return number
}

/** From .5 on, below 1. */
export function fromHalf(value: string): number {
  const number = fraction(value)
  if (number < 0.5) throw new InvalidArgumentError('It must be at least .5 and below 1.')
  return number
}

/** Above 0 and below .5. */
export function belowHalf(value: string): number {
  const number = fraction(value)
  if (number >= 0.5) throw new InvalidArgumentError('It must be above 0 and below .5.')
  return number
}

/** 1 or more. */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(value)
}

/** 0 or more. */
export function wholeOrZero(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(value)
}

/** Any number. */
export function score(value: string): number {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number, such as .5.')
  return number
}

/** Above 0. */
export function positiveNumber(value: string): number {
  if (!(Number(value) > 0 && Number(value) < Infinity)) throw new InvalidArgumentError('It must be a number above 0.')
  return Number(value)
}
