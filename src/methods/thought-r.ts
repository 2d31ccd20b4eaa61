export { thoughtR } from './graph-of-records/thought-r.ts'
