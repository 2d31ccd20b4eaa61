import { loadOptional } from '../../../basics/load-optional.ts'

/** Throws UserError with the command that installs the package where it cannot be loaded: 190 MB that most runs do not need. */
export const checkInstalled = async (name?: string): Promise<void> => {
  await loadOptional({ kind: 'transformers', package: '@huggingface/transformers', version: '4.3.1' }, name)
}
