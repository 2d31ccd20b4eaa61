import { expect, test } from 'vitest'
import { liveLines, writeAbove } from './print.ts'

test('redraws lines in place, cuts them to the width, and prints other output above them', () => {
  const written: string[] = []
  const stream = { columns: 10, write: (text: string) => written.push(text) > 0 }
  const lines = liveLines(stream)
  lines.draw(['one', 'two'])
  lines.draw(['a long line'])
  writeAbove(() => void written.push('notice\n'))
  lines.close()
  writeAbove(() => void written.push('after\n'))
  expect(written.join('')).toBe(
    '\u001B[?25lone\ntwo' + '\r\u001B[1A\u001B[Ja long…' + '\r\u001B[Jnotice\na long…' + '\n\u001B[?25hafter\n',
  )
})

test('counts wide characters as two columns, so that no line wraps', () => {
  const written: string[] = []
  const lines = liveLines({ columns: 10, write: (text: string) => written.push(text) > 0 })
  lines.draw(['検索拡張生成'])
  lines.close()
  expect(written.join('')).toBe('\u001B[?25l検索拡…\n\u001B[?25h')
})
