import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paragraphs, sentences } from './sentences.ts'

const split = (text: string) => sentences(text).map((sentence) => sentence.text)

test.each<[string, string[]]>([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['Dr. Smith met Mrs. Jones. They left.', ['Dr. Smith met Mrs. Jones.', 'They left.']],
  ['Use a tool, e.g. Unicode, i.e. ICU. Done.', ['Use a tool, e.g. Unicode, i.e. ICU.', 'Done.']],
  ['See No. 7 and Fig. 3a (pp. 12). End.', ['See No. 7 and Fig. 3a (pp. 12).', 'End.']],
  ['I said no. Then I left.', ['I said no.', 'Then I left.']],
  ['By J. R. R. Tolkien. Good.', ['By J. R. R. Tolkien.', 'Good.']],
  ['So did I. Nobody saw.', ['So did I.', 'Nobody saw.']],
  ['Smith et al. (2019) agree. Lee et al. The end.', ['Smith et al. (2019) agree.', 'Lee et al.', 'The end.']],
  ['Smith et al. Nature 4, p. 9.', ['Smith et al. Nature 4, p. 9.']],
  [
    'The U.S. Senate met. He left the U.S. They cheered.',
    ['The U.S. Senate met.', 'He left the U.S.', 'They cheered.'],
  ],
  ['On Jan. 5 it rained. He came in Jan. She left.', ['On Jan. 5 it rained.', 'He came in Jan.', 'She left.']],
  ['It cost 3.50 dollars. Cheap.', ['It cost 3.50 dollars.', 'Cheap.']],
  ['"Hello!" she said. "Go."', ['"Hello!" she said.', '"Go."']],
  ['1. First thing. 2. Second thing.', ['1. First thing.', '2. Second thing.']],
  ['你好。再见！', ['你好。', '再见！']],
  ['Wait... What?', ['Wait...', 'What?']],
])('finds the ends of sentences in %s', (text, expected) => expect(split(text)).toEqual(expected))

describe('sentences in other languages', () => {
  test.each<[string, string]>([
    [
      'German dates',
      'Er wurde am 3. Mai 1990 geboren. | Am 1. und 2. Juni zog er um. | Berlin, 5. März. | Danach kam er.',
    ],
    [
      'German ordinals',
      'Im 19. Jahrhundert war es so. | Der 2. Weltkrieg begann an seinem 30. Geburtstag. | Das ist er.',
    ],
    ['German years and numbers at an end', 'Sie starb 1890. | Ihr Sohn war 5. | Er ist im Zimmer 3. | Peter nicht.'],
    ['German chains', 'Es gibt z. B. Äpfel, d. h. Obst. | Das war 44 v. Chr. in Rom, u. a. Cäsar. | Das ist so.'],
    ['German amounts', 'Es kostete 5 Mio. Euro, ca. Hälfte davon mit 3 Mrd. Yen. | Dann war das Geld weg.'],
    ['German names', 'Die Fa. Müller ist in der Hauptstr. 5 bei Dr. Weber. | Sie hat die Nr. 7 auf S. 12.'],
    ['German list ends', 'Er kaufte Brot usw. | Dann ging er mit der Ware.'],
    ['Hindi dandas', 'यह दिल्ली है। | क्या वह गया? | हाँ! | वह २०१० में आया॥ | ठीक है।'],
    ['Hindi titles', 'डॉ. राम और श्री. मोहन आए। | मूल्य रु. 500 था।'],
    ['Hindi initials', 'ए. पी. जे. अब्दुल कलाम राष्ट्रपति थे। | वी. पी. सिंह भी थे।'],
    ['Hindi full stops', 'वह आया था. | फिर वह गया. | वह खुश है।'],
    ['Spanish titles', 'El Sr. García y la Dra. Pérez viven aquí. | Es la casa de D. Juan y Dña. Ana.'],
    [
      'Spanish chains',
      'Nació en EE. UU. | En 1990 volvió a los EE. UU. con p. ej. Pedro. | Murió en el 44 a. C. | Era rico.',
    ],
    ['Spanish marks', 'Hola. | ¿Qué hace usted en la pág. 3? | ¡Nada! | ¿Y el núm. 5?'],
    ['French titles', 'M. Dupont et Mme Martin sont avec M. Le Pen. | Il dit que Me. Roux est là.'],
    ['French quotes', 'Il a dit : « Bonjour. » | Puis il est parti. | « Où va-t-il ? » | Elle ne sait pas.'],
    [
      'French abbreviations',
      'Voir p. 3 et p. ex. Paris. | C’est en 50 av. J.-C. que l’on trouve des villes, etc. | Il est tard.',
    ],
    ['Polish streets', 'Mieszka przy ul. Długiej 5. | Zob. str. 5 i np. Kraków.'],
    ['Polish years', 'W 1939 r. Niemcy były w Polsce. | Urodził się w 1990 r. | Potem wyjechał do m. in. Paryża.'],
    ['Polish titles', 'To jest prof. Nowak i św. Jan, tzn. święty. | Był w 2. Korpusie.'],
  ])('%s', (_what, text) => expect(split(text.replaceAll(' | ', ' '))).toEqual(text.split(' | ')))

  test.each([
    ['a German name', 'He saw Das Boot 2. Peter did not.', 2],
    ['a single letter', 'We solve it for z. B comes next.', 2],
    ['a time', 'I was born at 7 am 3. My sister was not.', 2],
  ])('English with %s is English', (_what, text, count) => expect(split(text)).toHaveLength(count))
})

test.each<[string, string[]]>([
  ['A hard\nwrapped line. Next\r\none.', ['A hard\nwrapped line.', 'Next\r\none.']],
  ['A title\n\nA text', ['A title', 'A text']],
  ['Dr.\n\nSmith', ['Dr.', 'Smith']],
  ['no stop\r\n \r\nlower case', ['no stop', 'lower case']],
  ['Two things:\n- one\n- two', ['Two things:', '- one', '- two']],
  ['Steps\n1. Open it\n2. Close it', ['Steps', '1. Open it', '2. Close it']],
  [' \n\t ', []],
  ['', []],
])('lines of %j', (text, expected) => expect(split(text)).toEqual(expected))

test('spans are ordered, quote the text, and omit only white space', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...'Dr. |e.g. |A. |\n\n|\r\n|\n| |The end. |- |1. |👩‍👩‍👧|\uD800|。|…'.split('|')),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      let from = 0
      for (const { text: sentence, start, end } of sentences(text)) {
        expect(text.slice(from, start).trim()).toBe('')
        expect(text.slice(start, end)).toBe(sentence)
        expect(sentence.trim()).toBe(sentence)
        expect(sentence).not.toBe('')
        from = end
      }
      expect(text.slice(from).trim()).toBe('')
    }),
  )
})

test.each(['a', 'A. ', ' ', '\n', '. ', '1. ', 'Dr. ', '\n '])('300 kB of %j are read', (piece) => {
  const text = piece.repeat(Math.ceil(300_000 / piece.length))
  const parts = sentences(text).map((sentence) => sentence.text)
  expect(parts.join('').length).toBeLessThanOrEqual(text.length)
})

describe('paragraphs', () => {
  test.each([
    ['one\n\ntwo', ['one', 'two']],
    ['one\nstill one\n \t\n\n\n  two  ', ['one\nstill one', 'two']],
    ['one\r\n\r\ntwo\r\n', ['one', 'two']],
    ['\n\n  \n', []],
    ['', []],
    ['one', ['one']],
  ])('%j', (text, expected) => {
    expect(paragraphs(text).map((paragraph) => paragraph.text)).toEqual(expected)
  })

  test('offsets quote the text, in order, without blank lines', () => {
    const texts = fc.array(fc.constantFrom('a', ' ', '\n', '\t', '🐈', '\r\n')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const found = paragraphs(text)
        for (const { text: part, start, end } of found) {
          expect(text.slice(start, end)).toBe(part)
          expect(part).toBe(part.trim())
          expect(part).not.toMatch(/\n\s*\n/)
        }
        const joined = found.map(({ text: part }) => part).join('')
        expect(joined.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })
})
