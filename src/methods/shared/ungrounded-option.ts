import { choice } from './options.ts'

/** The option `ungrounded` of methods that extract names or facts with a model. */
export const ungroundedOption = choice(
  ['auto', 'drop', 'count'],
  'What becomes of names, and of facts whose subject or object is a name, that do not stand in the text that the model was shown: drop leaves them out (our reading); count keeps them, as released code does; auto: drop, but count where the texts are in another language than English, in which a name is inflected. Either way what repeats the example in the prompt is left out, and the share that stands in the texts is a figure of the index.',
)
