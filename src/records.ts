// What the files of a results folder hold.
export * from './types/lines.ts'
export * from './types/manifest.ts'
