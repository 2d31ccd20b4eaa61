export { hotpotQa } from './hipporag-sets.ts'
