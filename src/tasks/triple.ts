import { z } from 'zod'

/** A fact: subject, predicate, object (HippoRAG 2, section 3.1). */
export type Triple = readonly [subject: string, predicate: string, object: string]

/** The shape of a triple in a reply. */
export const tripleShape = z.tuple([z.string(), z.string(), z.string()])
