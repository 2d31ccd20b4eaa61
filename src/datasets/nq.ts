export { nq } from './hipporag-sets.ts'
