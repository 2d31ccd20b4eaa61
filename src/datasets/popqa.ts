export { popQa } from './hipporag-sets.ts'
