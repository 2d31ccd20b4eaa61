import { md5 } from '../../text/hash.ts'

/** The id of a document that its dataset gives none: the first 16 hex digits of the MD5 of its text (SamsungLabs/UnWeaver). */
export const documentId = (text: string): string => md5(text).slice(0, 16)
