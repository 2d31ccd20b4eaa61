import { expect, test } from 'vitest'
import { tasks } from '../index.ts'
import { extractiveReply } from '../../test-support/extractive-replies.ts'
import { inputWith } from '../../test-support/task-inputs.ts'

/** Paragraphs with quotations, numbers, brackets, abbreviations and lists, as documents have them. */
const texts: Readonly<Record<string, string>> = {
  Latin: `The harbour office moved to Lisk in 1903. Dr. Maud Vale, its first clerk, wrote: “We cannot. They pay, but we dont!”

Der Leuchtturm wurde am 3. Mai 1871 gebaut. Die Wärterin – sie hieß Ås Öberg – läutete z. B. bei Nebel die Glocke (ca. 5 Mio. Schläge). L'été dernier, « la criée » n'a pas ouvert. ¿Quién lo sabe? ¡Nadie! Łódź, İzmir i Đà Nẵng leżą daleko: 12,5 km.`,
  Cyrillic: `Маяк был построен в 1871 году. Смотритель Иван Петрович зажигал лампу каждый вечер, т. е. в любую погоду.

«Кто звонил в колокол?» — спросила Мария. Никто не ответил; туман стоял три дня (с 5 по 7 мая). Маяк стоїть на скелі. Його побудували інженери з Одеси: — щоглу, — ліхтар, — дзвін. Ціна: 1 200 руб.`,
  Greek: `Ο φάρος χτίστηκε το 1871. Ο φύλακας άναβε τη λάμπα κάθε βράδυ, π.χ. όταν είχε ομίχλη.

«Ποιος χτύπησε την καμπάνα;» ρώτησε η Μαρία. Κανείς δεν απάντησε· το πλοίο έφυγε στις 5:30 μ.μ. Η Αθήνα και ο Πειραιάς απέχουν 10 χλμ. Το εισιτήριο κοστίζει 1,20 €.`,
  Arabic: `بُنيت المنارة عام ١٨٧١. كان الحارس يضيء المصباح كل مساء، حتى في العواصف.

سألت مريم: «من قرع الجرس؟» لم يجب أحد؛ واستمر الضباب ثلاثة أيام (من 5 إلى 7 مايو). تقع المدينة على بعد 12,5 كم من الميناء، وثمن التذكرة 20٪ أقل.`,
  Hebrew: `המגדלור נבנה בשנת 1871. השומר הדליק את המנורה בכל ערב, גם בסערה.

״מי צלצל בפעמון?״ שאלה מרים. איש לא ענה; הערפל נמשך שלושה ימים (5–7 במאי). צה״ל פינה את הנמל. מחיר הכרטיס: 12.50 ש״ח.`,
  Devanagari: `प्रकाशस्तंभ १८७१ में बना था। रखवाला हर शाम दीपक जलाता था।

मारिया ने पूछा, “घंटी किसने बजाई?” किसी ने उत्तर नहीं दिया; कोहरा तीन दिन रहा (5 से 7 मई)। बंदरगाह शहर से 12.5 कि.मी. दूर है। टिकट का दाम ₹१,२०० है।`,
  Thai: `ประภาคารสร้างขึ้นในปี พ.ศ. ๒๔๑๔ ผู้ดูแลจุดตะเกียงทุกเย็น แม้ในพายุ

มาเรียถามว่า “ใครตีระฆัง?” ไม่มีใครตอบ หมอกลงสามวัน (5–7 พฤษภาคม) ท่าเรืออยู่ห่างจากเมือง 12.5 กม. ตั๋วราคา 1,200 บาท ฯลฯ`,
  Chinese: `灯塔建于1871年。守塔人每天晚上点灯，暴风雨中也不例外。

玛丽亚问：“谁敲了钟？”没有人回答；大雾持续了三天（5月5日至7日）。 港口距离市区12.5公里，票价为1,200元。《海图》第３版由李明编写。`,
  Japanese: `灯台は1871年に建てられた。守り人は毎晩ランプをともした。

「だれが鐘を鳴らしたのですか？」とマリアは尋ねた。だれも答えなかった。霧は三日間続いた（5月5日〜7日）。 港は町から12.5キロ離れている。切符は１２００円です。ｶﾀｶﾅも使われる。`,
  Korean: `등대는 1871년에 세워졌다. 등대지기는 매일 저녁 등불을 켰다.

마리아가 물었다. “누가 종을 쳤습니까?” 아무도 대답하지 않았다. 안개는 사흘 동안 계속되었다(5월 5일–7일). 항구는 시내에서 12.5km 떨어져 있다. 표 값은 1,200원이다.`,
}

test.each(Object.entries(texts))('%s: every task takes paragraphs, sentences and their beginnings', (_script, text) => {
  const paragraphs = text.split('\n\n')
  const beginnings = Array.from(text.matchAll(/[\p{P}\s]/gu), ({ index }) => text.slice(0, index + 1))
  const faults: string[] = []
  for (const given of [text, text.replaceAll('\n', ' '), ...paragraphs, ...beginnings])
    for (const { name, reply, output, sample } of tasks) {
      try {
        const replied = extractiveReply(name, inputWith(sample, given))
        output.parse(reply === 'json' ? JSON.parse(replied) : replied)
      } catch (error) {
        faults.push(`${name}: ${String(error)}: ${given.slice(-40)}`)
      }
    }
  expect(faults).toEqual([])
})
