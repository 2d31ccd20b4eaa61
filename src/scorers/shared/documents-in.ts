import type { ContextPassage } from '../../types.ts'

/** The documents that a passage leads to: those that it quotes. A summary of one document alone still leads to that document, one of several to none. */
export const documentsIn = ({ documents, derived }: ContextPassage): readonly string[] =>
  derived && documents.length > 1 ? [] : documents
