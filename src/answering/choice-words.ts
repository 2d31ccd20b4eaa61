import { memoiseRecent } from '../basics/memoise.ts'

/** Scripts without spaces between words. */
export const unspacedScripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'

/**
 * Words by their role in a reply that names an option, the first role of a word first; `*`: any ending; `_`: a space.
 * A: the answer, O: an option; C: right, W: wrong, N: not; I: is, and other verbs that join a word to an option; V:
 * choosing or concluding; P: pronouns and modal verbs; F: articles and adverbs; B: but; J: and, or; R: because; T:
 * endings; Z: self-correction.
 */
const vocabulary = {
  A: `answer answers solution lösung antwort* réponse* respuesta* solución resposta* solução gabarito risposta*
    soluzione antwoord svar svaret vastau* odpowied* odpověd* odpověď odpoveď válasz* răspuns* ответ* відповід*
    отговор* απάντηση cevap* cevabı* yanıt* إجابة الإجابة اجابة الاجابة جواب الجواب پاسخ תשובה התשובה उत्तर जवाब
    উত্তর đáp_án trả_lời jawaban* jawapan* 정답* 해답* 답 답은 답이 답변* 答案 正解 答え 答 回答 解答 คำตอบ`,
  O: `option options choice choices number numbers letter letters alternative alternatives # nr auswahl nummer
    buchstabe choix lettre proposition opción opciones alternativa* letra inciso opzione opzioni lettera numero optie
    keuze alternativ* vaihtoeh* opcj* вариант* номер* الخيار אפשרות विकल्प opsi pilihan nomor 선택지* 选项 選択肢 第 ข้อ`,
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
    says say supports support suggests indicates means ist lautet sind war bleibt wird est serait reste es son era
    queda é seria fica è sono sarebbe resta är blir är er on ovat to jest brzmi je az este e είναι هي היא है là
    adalah ialah 是 は คือ เป็น`,
  V: `choose chose choosing pick picked select selected selecting go going get lean leaves leaving therefore thus
    hence so conclude conclusion final finally wähle nehme also daher deshalb somit folglich donc choisis elijo
    entonces portanto escolho quindi dunque scelgo dus kies siis valitsen zatem wybieram tedy выбираю yani jadi 选择 选
    เลือก`,
  P: `it its that this i must should would will could es das dies muss ce c cela esto eso isto isso questo det what`,
  F: `the a an my our with for most probably likely clearly definitely certainly simply only just really think
    believe guess suppose towards maybe perhaps vielleicht talvez forse kanske belki mungkin der die den de dem la le
    l el los o os il lo het ta η το um wohl also`,
  B: `but rather instead sondern aber mais sino pero mas sim ma maar utan men vaan lecz ale hanem ci а αλλά بل אלא
    tetapi melainkan 而是 แต่`,
  J: `and or but_also & / + und oder et ou y en eller och ja i lub albo czy ve veya dan atau`,
  R: `because since as while whereas although if unlike which weil da denn obwohl parce car puisque porque pues omdat
    eftersom koska bo karena`,
  T: `で 番 번 번입니다`,
  Z: `wait actually correction hmm on_second_thought nein_moment moment attends espera aspetta`,
}

const wordsByKind = Object.entries(vocabulary).map(([kind, text]) => {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' ').normalize('NFKC'))
  return {
    kind,
    words,
    pattern: new RegExp(`^(?:${words.join('|').replaceAll('+', '\\+').replaceAll('*', '.*')})$`, 'u'),
  }
})

/** The kind of a lower-case word in any supported language; `x` for another word. */
export const kindOfWord = memoiseRecent(
  10_000,
  (word) => wordsByKind.find(({ pattern }) => pattern.test(word))?.kind ?? 'x',
)

/** Words of scripts without spaces, and phrases, as a regular expression, longest first. */
export const phrasePattern = wordsByKind
  .flatMap(({ words }) => words.map((word) => word.replace('*', '')))
  .filter((word) => new RegExp(`[ ${unspacedScripts}]`, 'u').test(word))
  .sort((a, b) => b.length - a.length)
  .map((word) => (word.includes(' ') ? `${word}(?![\\p{L}\\p{M}])` : word))
  .join('|')
