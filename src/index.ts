export * from './types.ts'
export * from './define.ts'
export { ModelError, UserError } from './errors.ts'
export { z } from 'zod'
