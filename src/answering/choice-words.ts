import { unspacedScripts } from '../text/words.ts'

/**
 * The kind of a lower-case word, in any supported language: its role in a reply that names an option. A: the answer, O:
 * an option; C: right, W: wrong, N: not; I: is, and other verbs that join a word to an option; V: choosing or
 * concluding; P: pronouns and modal verbs; F: articles and adverbs; B: but; J: and, or; R: because; T: endings; Z:
 * self-correction; x: anything else.
 */
export function kindOfWord(word: string): string {
  const exact = kinds.get(word)
  if (exact !== undefined) return exact
  for (let length = Math.min(word.length, longestStem); length >= shortestStem; length--) {
    const stem = stems.get(word.slice(0, length))
    if (stem !== undefined) return stem
  }
  return 'x'
}

/** Words by kind, the first kind first. `*`: any ending; `_`: a space. */
const vocabulary = {
  A: `answer answers solution lösung antwort* réponse* respuesta* solución resposta* solução gabarito risposta*
    soluzione antwoord svar svaret vastau* odpowied* odpověd* odpověď odpoveď válasz* răspuns* ответ* відповід*
    отговор* απάντηση cevap* cevabı* yanıt* إجابة الإجابة اجابة الاجابة جواب الجواب پاسخ תשובה התשובה उत्तर जवाब
    উত্তর đáp_án trả_lời jawaban* jawapan* 정답* 해답* 답 답은 답이 답변* 答案 正解 答え 答 回答 解答 คำตอบ`,
  O: `option options choice choices number numbers letter letters alternative alternatives # nr möglichkeit* auswahl
    nummer buchstabe choix numéro lettre proposition opción opciones alternativa* número letra inciso opção opções
    opzione opzioni lettera numero optie keuze alternativ* vaihtoeh* opcj* możnoś* možnost* вариант* номер* пункт*
    буква варіант* επιλογή seçene* şık* خيار الخيار رقم حرف אפשרות האפשרות מספר विकल्प lựa_chọn phương_án câu opsi
    pilihan nomor 선택지* 보기* 옵션* 번호* 选项 選項 選択肢 番号 第 ตัวเลือก ข้อ`,
  C: `correct right best richtig* korrekt* correcte corrects juste bon bonne exact exacte correcta correcto correctas
    certa certo corretta corretto giusta giusto juist juiste goede rätt riktig* rigtig* oike* poprawn* prawidłow*
    właściw* správn* helyes corect* правильн* верн* вірн* σωστ* doğru* صحيح* الصحيح* נכון נכונה הנכונה सही đúng benar
    tepat 맞* 옳* 正しい 正确 正確 对 對 ถูก ถูกต้อง`,
  W: `wrong incorrect false off out impossible unsupported falsch* faux fausse incorrecta incorrecto errada errado
    errata errato sbagliat* onjuist fout fel felaktig* forkert väär* błędn* nieprawidłow* niepoprawn* špatn*
    nesprávn* helytelen greșit* неверн* неправильн* невірн* λάθος λανθασμέν* yanlış* خطأ خاطئ* غلط שגוי* לא_נכון गलत
    नहीं sai salah 틀* 아니* 아니라 değil* 間違* 誤り 違う 违 错误 错 錯誤 錯 不对 不對 不正确 不正確 不正解 不行 ではなく ではない ではありません じゃない でなく ผิด`,
  N: `not never neither nor reject* exclud* eliminat* discard* rule_out rules_out ruled_out ruling_out rather_than
    instead_of anything_but everything_but all_but nicht kein* weder noch statt pas ni no nunca tampoco non né não
    nem niet geen inte ej ikke ei eivät eikä nie ani není ne nem nu не ни ні δεν όχι ούτε ليس ليست لا לא không_phải
    không bukan 不是 并非 並非 非 不选 不 ไม่ใช่ ไม่`,
  I: `is was are were be being seems seem appears looks look does do did has have had can could remains equals fits
    says say supports support suggests indicates means ist lautet sind war wäre bleibt wird est serait reste es son
    era sería queda é são seria fica è sono sarebbe resta är blir är er on ovat to jest brzmi je az este e это
    является це είναι هو هي הוא היא है là adalah ialah 是 为 為 は が คือ เป็น`,
  V: `choose chose choosing pick picked select selected selecting go going get lean leaves leaving therefore thus
    hence so conclude conclusion final finally wähle nehme also daher deshalb somit folglich donc choisis elijo
    entonces portanto escolho quindi dunque scelgo dus kies alltså väljer därför siis valitsen więc zatem wybieram
    tedy выбираю вибираю значит поэтому следовательно άρα επιλέγω yani إذن أختار לכן इसलिए vậy chọn jadi 따라서 그러므로 因此
    所以 选择 選擇 选 選 よって したがって ดังนั้น เลือก`,
  P: `it its that this i must should would will could es das dies muss ce c ça cela esto eso isto isso questo det это
    what 这 那 这个 それ これ`,
  F: `the a an my our with for most probably likely clearly definitely certainly simply only just really think
    believe guess suppose towards maybe perhaps vielleicht quizás talvez forse kanske ehkä może возможно ίσως belki
    ربما אולי शायद có_lẽ mungkin 아마 多分 可能 der die den de dem la le l el los o os il lo het под ta η ο το à um wohl
    also`,
  B: `but rather instead sondern aber mais plutôt sino pero mas sim ma bensì maar utan men vaan lecz ale hanem ci а
    но але αλλά بل אלא बल्कि mà tetapi melainkan 而是 แต่`,
  J: `and or but_also & / + und oder et ou y en eller och ja i lub albo czy и или та або και ή ve veya و أو او ו או
    और या và hoặc dan atau 와 과 和 或 或者 と か และ หรือ`,
  R: `because since as while whereas although if unlike which weil da denn obwohl parce car puisque porque pues
    perché poiché omdat eftersom koska ponieważ bo потому так_как бо διότι επειδή çünkü لأن כי क्योंकि vì karena 왜냐하면
    因为 因為 なぜなら เพราะ`,
  T: `です だ で を に 番 番目 番です 번 번이 번은 번입니다 번을 입니다 이 가 은 는 을 를 号 號 項 了 的 numaralı`,
  Z: `wait actually correction hmm on_second_thought nein_moment moment attends espera aspetta подожди`,
}

// reversed, so that the first kind of a word wins
const entries = Object.entries(vocabulary)
  .reverse()
  .flatMap(([kind, words]) => {
    const plainWords = words.split(/\s+/).map((word) => word.replaceAll('_', ' ').normalize('NFKC'))
    return plainWords.map((word) => [word, kind] as const)
  })
const kinds = new Map(entries.filter(([word]) => !word.endsWith('*')))
const stemEntries = entries.filter(([word]) => word.endsWith('*'))
const stems = new Map(stemEntries.map(([word, kind]) => [word.slice(0, -1), kind]))
const stemLengths = [...stems.keys()].map(({ length }) => length)
const shortestStem = Math.min(...stemLengths)
const longestStem = Math.max(...stemLengths)

/** Words of scripts without spaces, and phrases, as a regular expression, longest first. */
export const phrasePattern = entries
  .map(([word]) => word.replace('*', ''))
  .filter((word) => new RegExp(`[ ${unspacedScripts}]`, 'u').test(word))
  .sort((a, b) => b.length - a.length)
  .map((word) => (word.includes(' ') ? `${word}(?![\\p{L}\\p{M}])` : word))
  .join('|')
