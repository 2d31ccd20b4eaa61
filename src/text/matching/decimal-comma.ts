/** Whether a text writes 1.5 as 1,5, by its language, else its numbers; undefined if undecided. */
export function hasDecimalComma(text: string): boolean | undefined {
  const count = (form: RegExp): number => text.match(form)?.length ?? 0
  const [point, comma] = [count(pointWords), count(commaWords)]
  if (point !== comma) return comma > point
  if (/\d[.\s]\d{3},\d|(?<![\d,])\d+,\d{1,2}(?![\d,])/.test(text)) return true
  return /\d,\d{3}\.\d|(?<![\d.])\d+\.\d{1,2}(?![\d.])/.test(text) ? false : undefined
}

const pointWords = /(?<![\p{L}'])(?:the|of|and|was|were|is|are|it|to|for|with|by|from|this|has|have)(?!\p{L})/giu
const commaWords =
  /(?<![\p{L}'])(?:der|die|das|und|ist|ein|eine|von|mit|beträgt|im|le|les|des|est|une|du|pour|el|los|las|es|del|por|il|di|che|è|het|een|och|är|att|på|jest|nie|się|w|ve|bir|on|ja|não|são|uma)(?!\p{L})|[\p{sc=Cyrillic}\p{sc=Greek}]+/giu
