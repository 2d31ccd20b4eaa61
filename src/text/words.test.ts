import { expect, test } from 'vitest'
import { words } from './words.ts'

test.each<[string, string[]]>([
  ['The cat, the DOG.', ['the', 'cat', 'the', 'dog']],
  ["Don't o’Neill 'quoted' rock 'n' roll", ['don', 't', 'o', 'neill', 'quoted', 'rock', 'n', 'roll']],
  ["Dylan's songs, the writers' room, its’", ['dylan', 's', 'songs', 'the', 'writers', 'room', 'its']],
  ['state-of-the-art foo_bar x=1.5', ['state', 'of', 'the', 'art', 'foo', 'bar', 'x', '1', '5']],
  ['naïve ÜNÏ Straße İ', ['naïve', 'ünï', 'straße', 'i̇']],
  ['e\u0301te\u0301 \u00e9t\u00e9', ['été', 'été']],
  ['東京タワーは高い', ['東', '京', 'タワー', 'は', '高', 'い']],
  ['हिन्दी में, العربية', ['हिन्दी', 'में', 'العربية']],
  ['한국어 문장', ['한국어', '문장']],
  ['กรุงเทพมหานครเป็นเมืองหลวงของไทย๒๕๖๐', ['กรุงเทพมหานคร', 'เป็น', 'เมือง', 'หลวง', 'ของ', 'ไทย', '๒๕๖๐']],
  ['ใช้iPhone15', ['ใช้', 'iphone15']],
  ['ນະຄອນຫຼວງຂອງລາວ', ['ນະຄອນຫຼວງ', 'ຂອງ', 'ລາວ']],
  ['រាជធានីភ្នំពេញ។', ['រាជធានី', 'ភ្នំពេញ']],
  ['မြန်မာနိုင်ငံ၏မြို့တော်', ['မြန်မာနိုင်ငံ', 'မြို့တော်']],
  [
    'ＢＭ２５ ﬁnal oﬃce ｶﾞｲﾄﾞ 株㈱ ㎏ Ⅷ 𝐀𝐁 ﻻ',
    ['bm25', 'final', 'office', 'ガイド', '株', '株', 'kg', 'viii', 'ab', 'لا'],
  ],
  ['10² ½ Windows™ don´t', ['10²', '½', 'windows', 'don', 't']],
  ['👩‍👩‍👧 !? … \uD800', []],
  ['', []],
])('%j', (text, expected) => expect(words(text)).toEqual(expected))

test('splits Thai text without spaces in linear time', () => {
  const text = 'ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวงและเป็นศูนย์กลาง'.repeat(100)
  const segments = Array.from(new Intl.Segmenter('th', { granularity: 'word' }).segment(text), ({ segment }) => segment)
  expect(words(text)).toEqual(segments)
  expect(words(text.repeat(40))).toHaveLength(40 * segments.length)
})
