import { expect, test } from 'vitest'
import { languageOf } from './language.ts'

const questions = {
  en: 'Who built the mill at Arden?|When did the keeper move into the lighthouse?|What closed the mill, and how many people worked there before?|Where was the grain stored when the river was frozen?|Which family owned the land until the railway came?',
  de: 'Wer baute die Mühle am Fluss?|Wann zog der Wärter in den Leuchtturm ein?|Was schloss die Mühle, und wie viele Menschen arbeiteten dort vorher?|Wo wurde das Getreide gelagert, als der Fluss zugefroren war?|Welcher Familie gehörte das Land, bis die Eisenbahn kam?',
  fr: 'Qui a construit le moulin au bord de la rivière ?|Quand le gardien est-il venu au phare ?|Combien de personnes y travaillaient avant l’incendie ?|Où le grain était-il conservé quand la rivière était gelée ?|Quelle famille possédait la terre avant le chemin de fer ?',
  es: '¿Quién construyó el molino junto al río?|¿Cuándo llegó el guardián al faro?|¿Cuántas personas trabajaban allí antes del incendio?|¿Dónde se guardaba el grano cuando el río estaba helado?|¿Qué familia era dueña de la tierra hasta que llegó el ferrocarril?',
  pl: 'Kto zbudował młyn nad rzeką?|Kiedy latarnik wprowadził się do latarni?|Ile osób pracowało tam przed pożarem, który zamknął młyn?|Gdzie przechowywano zboże, gdy rzeka zamarzła?|Do której rodziny należała ziemia, zanim powstała kolej?',
  fi: 'Kuka rakensi myllyn joen rannalle?|Milloin majakanvartija muutti majakkaan?|Kuinka monta ihmistä siellä työskenteli ennen tulipaloa?|Missä viljaa säilytettiin, kun joki oli jäässä?|Mikä suku omisti maan ennen rautatien tuloa?',
  hu: 'Ki építette a malmot a folyó partján?|Mikor költözött be az őr a világítótoronyba?|Hány ember dolgozott ott a tűz előtt?|Hol tárolták a gabonát, amikor a folyó befagyott?|Melyik család birtokolta a földet, amíg a vasút meg nem épült?',
  tr: 'Nehir kıyısındaki değirmeni kim inşa etti?|Bekçi deniz fenerine ne zaman taşındı?|Yangından önce orada kaç kişi çalışıyordu?|Nehir donduğunda tahıl nerede saklanıyordu?|Demiryolu gelene kadar arazi hangi aileye aitti?|Savaştan sonra unun fiyatı ne kadardı?|Sahibi değirmeni neden komşusuna sattı ve bu parayla ne yaptı?|Değirmenden köye giden köprü kimin adını taşıyor?',
  vi: 'Ai đã xây cối xay bên bờ sông?|Người gác hải đăng chuyển đến khi nào?|Trước vụ cháy có bao nhiêu người làm việc ở đó?|Ngũ cốc được cất giữ ở đâu khi sông đóng băng?|Gia đình nào sở hữu mảnh đất cho đến khi có đường sắt?',
  ar: 'من بنى الطاحونة على ضفة النهر؟|متى انتقل الحارس إلى المنارة؟|كم شخصا كان يعمل هناك قبل الحريق الذي أغلق الطاحونة في المدينة القديمة؟|أين كان يخزن الحبوب عندما تجمد النهر؟|أي عائلة كانت تملك الأرض حتى وصول السكة الحديدية؟',
  hi: 'नदी के किनारे चक्की किसने बनाई?|रखवाला प्रकाशस्तंभ में कब आया?|आग लगने से पहले वहाँ कितने लोग काम करते थे और उनका मालिक कौन था? वह कहाँ रहता था और कब तक वहाँ काम करता रहा?|नदी जम जाने पर अनाज कहाँ रखा जाता था?|रेलवे आने तक ज़मीन किस परिवार की थी और उन्होंने उसे किसको बेचा?',
  zh: '谁建造了磨坊？|管理员什么时候搬进灯塔？',
  ja: '誰が水車小屋を建てましたか。|灯台守はいつ引っ越しましたか。',
  ko: '누가 방앗간을 지었습니까?',
  th: 'ใครสร้างโรงสีริมแม่น้ำ',
  lo: 'ນະຄອນຫຼວງຂອງລາວແມ່ນຫຍັງ',
  km: 'តើរាជធានីរបស់កម្ពុជាគឺជាអ្វី',
  my: 'မြန်မာနိုင်ငံ၏မြို့တော်',
}

test.each(Object.entries(questions))('questions in %s have this language', async (language, questions) => {
  const texts = questions.split('|')
  expect(await languageOf(texts)).toBe(language)
  expect(await languageOf(texts.toReversed())).toBe(language)
})

test.each([
  ['no text', []],
  ['a short question', ['Who built it?']],
  [
    'near languages that few letters do not tell apart',
    [
      'Кто построил мельницу на берегу реки?',
      'Когда смотритель переехал на маяк?',
      'Сколько людей работало там до пожара?',
      'Где хранили зерно, когда река замерзала?',
    ],
  ],
  ['numbers', ['3.5', '1990', '2 + 2 = ?']],
  ['names of one language in another', ['Kto to?', 'Что?']],
])('no language is claimed of %s', async (_what, texts) => expect(await languageOf(texts)).toBeUndefined())

test('no language is claimed for several languages', async () => {
  const german = Array.from({ length: 60 }, () => 'Wer baute die Mühle am Fluss, und wann zog der Wärter ein?')
  expect(await languageOf(german)).toBe('de')
  expect(await languageOf([...german, ...german.map(() => '谁建造了磨坊？管理员什么时候搬进灯塔？')])).toBeUndefined()
})
