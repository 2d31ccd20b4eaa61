import { z, type ZodType } from 'zod'
import type { Dataset, Index, Method, Passage, Scorer, Task } from './types.ts'

/** A dataset; infers the type of its options. */
export const defineDataset = <O, I>(dataset: Dataset<O, I>): Dataset<O, I> => dataset

/** A method; infers the types of its options and of what it prepares. */
export function defineMethod<O, P, I>(method: WrittenMethod<O, P, I>): Method<O, P, I>
export function defineMethod(method: unknown): unknown {
  return method
}

/** The compiler widens `kind: 'chunk'` in a list that is sorted or cut to a string; a run checks every passage. */
type WrittenPassage = Omit<Passage, 'kind'> & { readonly kind: string }

interface WrittenIndex extends Omit<Index, 'retrieve'> {
  retrieve(...args: Parameters<Index['retrieve']>): Promise<readonly WrittenPassage[]>
}

interface WrittenMethod<O, P, I> extends Omit<Method<O, P, I>, 'index'> {
  index(...args: Parameters<Method<O, P, I>['index']>): Promise<WrittenIndex>
}

/** A scorer; infers the type of its options. */
export const defineScorer = <O, I>(scorer: Scorer<O, I>): Scorer<O, I> => scorer

/** A task; infers the types of its input and output. */
export const defineTask = <I, T>(task: Task<I, T>): Task<I, T> => task

/**
 * Marks an option of a plug-in as the path of a file. A relative one starts from the folder of the config that names
 * it, and the identity of results depends on the content of the file, not on its path.
 */
export const fileOption = <S extends ZodType<string | null | undefined>>(option: S): S =>
  option.meta({ format: 'path' })

/**
 * Marks an option as the path of a folder; neither its path nor its content is part of the identity of
 * results.
 */
export const folderOption = <S extends ZodType<string | null>>(option: S): S => option.meta({ format: 'folder' })

/** The options that are paths of files, or of folders, with the path where one is set. */
export function filesOf(
  schema: ZodType,
  options: unknown,
  format: 'path' | 'folder' = 'path',
): readonly (readonly [name: string, path: string])[] {
  const shape = fieldsOf(schema)
  return Object.entries(options as Readonly<Record<string, unknown>>).flatMap(([name, path]) =>
    shape[name]?.meta()?.['format'] === format && typeof path === 'string' && path !== ''
      ? [[name, path] as const]
      : [],
  )
}

/** The schemas of single options; none where the options are no object. */
export function fieldsOf(schema: ZodType): Readonly<Record<string, ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape
  return schema instanceof z.ZodPipe ? fieldsOf(schema.in as ZodType) : {}
}

/** The tasks that a plug-in may run with its options. */
export const tasksOf = <T>(
  { tasks = [] }: { readonly tasks?: readonly T[] | ((options: unknown) => readonly T[]) },
  options: unknown,
): readonly T[] => (typeof tasks === 'function' ? tasks(options) : tasks)
