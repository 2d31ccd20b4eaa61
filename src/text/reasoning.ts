const tag = /<(\/?)think(?:ing)?>/gi

/**
 * The reply without the blocks in which a model thinks aloud. A block that never ends takes all the rest with it;
 * a closing tag alone means that all before it was thought, because some servers send the opening tag with the prompt.
 */
export function stripReasoning(text: string): string {
  let kept = ''
  let from = 0
  let thinking = false
  for (const { 0: found, 1: closing, index } of text.matchAll(tag)) {
    if (closing === '/') {
      if (!thinking) kept = ''
      thinking = false
      from = index + found.length
    } else if (!thinking) {
      kept += text.slice(from, index)
      thinking = true
    }
  }
  return (thinking ? kept : kept + text.slice(from)).trim()
}
