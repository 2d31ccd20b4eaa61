export { plain } from '../text/plain.ts'
