/** A text, or its beginning and "…" where it takes more than that many bytes in UTF-8; no character is cut in two. */
export function cutBytes(text: string, bytes: number): string {
  // a character takes at least one byte
  const begin = Buffer.from(text.slice(0, bytes + 1))
  if (begin.length <= bytes && text.length <= bytes) return text
  let end = bytes - 3
  // bytes that go on with a character are 10xxxxxx
  while (end > 0 && ((begin[end] ?? 0) & 0xc0) === 0x80) end--
  return `${begin.toString('utf8', 0, end)}…`
}
