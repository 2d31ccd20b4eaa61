/** 0 to 20, the tens, 100 and 1000. */
export const englishNumerals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand'.split(
    ' ',
  )

/**
 * 0 to 20, the tens, 100 and 1000 of a language. A word with `_` is ambiguous alone and counts only after another
 * number word ("vingt et un"). The first word says how 21 is written: ones-und-tens, tens+ones or apart.
 */
export const numerals = [
  `apart ${englishNumerals.join(' ')}`,
  'und _null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend',
  'en _nul _een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend',
  'apart zéro _un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize _ _ _ vingt trente quarante cinquante soixante septante octante nonante _cent mille',
  'apart cero _uno dos tres cuatro cinco seis siete ocho nueve diez _once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil',
  '+ _zero _uno _due tre quattro cinque _sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille',
  'apart _zero _um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem mil',
  '+ noll _ett två tre fyra fem _sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo trettio fyrtio femtio sextio sjuttio åttio nittio hundra tusen',
  '+ _nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista kolmetoista neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä kahdeksankymmentä yhdeksänkymmentä sata tuhat',
  'apart _zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt sto tysiąc',
  'apart ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто тысяча',
  'apart sıfır _bir iki üç dört beş altı yedi sekiz dokuz _on _onbir _oniki _onüç _ondört _onbeş _onaltı _onyedi _onsekiz _ondokuz yirmi otuz kırk elli altmış yetmiş seksen doksan _yüz _bin',
  'apart μηδέν _ένα δύο τρία τέσσερα πέντε έξι επτά οκτώ εννέα δέκα έντεκα δώδεκα δεκατρία δεκατέσσερα δεκαπέντε δεκαέξι δεκαεπτά δεκαοκτώ δεκαεννέα είκοσι τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα εκατό χίλια',
]

/** Further number words: the first value, the step, the words. */
export const numeralSeries = [
  '1 0 _une _una _eine _einen _jeden _jedna _одна',
  '21 1 veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  '200 100 doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  '200 100 двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот',
  '100 0 ciento',
  '20 0 vingts',
  '12 0 dozen',
]

/** Powers of ten behind a number. */
export const scaleWords = [
  '2: hundred',
  '3: thousand|tausend|tsd|mille|mil|mila|tusen|duizend|tuhat|tuhatta|tys|tysięcy|tysiące|tysiąc|тыс|тысяч|тысячи|тысяча|bin|χιλιάδες|χίλια|ألف|آلاف|אלף|हज़ार|หมื่น|천|千',
  '4: 万|萬|만',
  '5: lakh|lakhs|लाख',
  '6: million|millions|mn|mio|mill|mln|millionen|millón|millones|milione|milioni|milhão|milhões|miljoen|miljon|miljoner|miljoonaa|miljoona|milion|miliony|milionów|млн|миллион|миллиона|миллионов|milyon|εκατομμύρια|εκατομμύριο|مليون|ملايين|מיליון|मिलियन|ล้าน',
  '7: crore|crores|करोड़',
  '8: 億|亿|억',
  '9: billion|billions|bn|mrd|milliarde|milliarden|milliard|milliards|miliardo|miliardi|miljard|miljarder|miljardia|mld|miliard|miliardy|miliardów|млрд|миллиард|миллиарда|миллиардов|milyar|bilhão|bilhões|δισεκατομμύρια|مليار|מיליארד',
  '12: trillion|trillions|billionen|兆|조|трлн',
].join('; ')

/** First to twentieth, the tens, hundredth. */
export const ordinalList =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth'

/** Denominators in words. */
export const denominatorWords = [
  '2: half|halves|hälfte|halbe|moitié|demi|mitad|metà|половина',
  '3: third|thirds|drittel|tiers|tercio|tercios',
  '4: quarter|quarters|fourth|fourths|viertel|quart|quarts|cuarto|cuartos',
  '5: fifth|fifths|fünftel',
  '6: sixth|sixths',
  '7: seventh|sevenths',
  '8: eighth|eighths|achtel',
  '9: ninth|ninths',
  '10: tenth|tenths|zehntel',
].join('; ')

/** Comparators and signs before a number; those without a mark are ignored. */
export const wordsBefore = [
  '<: <|less than|fewer than|under|below|weniger als|unter|moins de|menos de|meno di|minder dan|mindre än|менее|меньше|mniej niż|少于|小于|不到',
  '>: >|more than|over|above|greater than|exceeding|mehr als|über|plus de|más de|più di|mais de|meer dan|mer än|более|больше|więcej niż|超过|多于|大于|yli',
  '≥: ≥|≧|> =|at least|no less than|not less than|no fewer than|not fewer than|minimum of|mindestens|wenigstens|minimal|nicht weniger als|au moins|al menos|por lo menos|almeno|pelo menos|minstens|minst|не менее|co najmniej|至少|不少于|vähintään|en az|τουλάχιστον|على الأقل|לפחות',
  '≤: ≤|≦|< =|at most|no more than|not more than|up to|maximum of|höchstens|maximal|bis zu|nicht mehr als|au plus|au maximum|como máximo|a lo sumo|al massimo|hoogstens|högst|не более|co najwyżej|最多|不超过|enintään|en fazla|το πολύ',
  '±: ±|+ / -|plus or minus',
  ': ~|≈|∼|about|around|approximately|approx|circa|ca|roughly|etwa|rund|ungefähr|environ|aproximadamente|cerca de|около|примерно|około|noin|大约|约|約',
  '-: minus|negative|moins|menos|meno|минус|eksi|miinus|负|零下',
].join('; ')

/** Comparators after a number or its unit. */
export const wordsBehind = [
  '≥: or more|or over|or above|or older|or greater|or higher|or longer|or later|and over|and above|and older|and up|oder mehr|ou plus|o más|o più|以上|이상',
  '≤: or less|or fewer|or under|or below|or younger|or lower|and under|oder weniger|ou moins|o menos|以下|以内|이하',
  '<: 未満|未满|미만',
  '>: 초과',
  '-: below zero|unter null|bajo cero|sous zéro',
].join('; ')

/** Units that take the prefixes of the SI: symbol, names. */
export const baseUnits = [
  'm meter metre',
  'g gram gramme',
  'l liter litre',
  's second',
  'W watt',
  'V volt',
  'A ampere amp',
  'Hz hertz',
  'J joule',
  'Pa pascal',
  'N newton',
  'eV electronvolt',
  'Wh watt-hour watthour',
  'cal calorie',
  'B byte',
  'bit',
  'mol mole',
  't tonne ton',
  'Ω ohm',
  'bar',
  'K kelvin',
].join('; ')

/** Names of units that `Intl` does not give. */
export const unitNames = [
  'km: kms|км',
  'm: м',
  'cm: см',
  'mm: мм',
  'g: г',
  't: т',
  'l: л',
  'hour: ч|h|hr|hrs|std',
  'minute: мин|min|mins',
  'kg: kgs|kilo|kilos|кг',
  's: sec|secs',
  'week: wk|wks',
  'year: yr|yrs',
  'mile: mi',
  'foot: ft|feet',
  'inch: in',
  'yard: yd|yds',
  'pound: lb|lbs',
  'ounce: oz',
  'acre: ac',
  'hectare: ha',
  'celsius: °c|° c|degrees c|degree c|grad|celsius',
  'fahrenheit: °f|° f|degrees f|fahrenheit',
  'degree: °|degrees',
  'percent: %|percent|per cent|pct|процент|процентов|percents|ร้อยละ',
  'permille: ‰|per mille|permille|promille',
  'pp: percentage points|percentage point|prozentpunkte|prozentpunkt|points de pourcentage|puntos porcentuales',
  'm2: qm|quadratmeter',
  'km2: qkm|quadratkilometer',
  'm3: kubikmeter',
  'km/hour: kmh|kph',
  'mile/hour: mph',
  'BC: bc|bce|v chr|av j c',
  'AD: ad|ce|n chr',
].join('; ')

/** Currencies; some share a sign. */
export const currencyNames = [
  'USD: USD|$|us $|us dollar|us dollars|dollar|dollars|доллар|доллара|долларов|ドル|달러|美元',
  'EUR: EUR|€|euro|euros|euroa|eur|евро|ευρώ|يورو|ユーロ|유로|欧元|ยูโร',
  'GBP: GBP|£|pound|pounds|sterling',
  'JPY: JPY|¥|yen|円|日元|엔',
  'CNY: CNY|¥|yuan|rmb|元|人民币',
  'CHF: CHF|franken|franc|francs|fr|sfr',
  'INR: INR|₹|rs|rupee|rupees|रुपये',
  'RUB: RUB|₽|руб|рубль|рубля|рублей|ruble|rubles|rouble|roubles',
  'PLN: PLN|zł|złoty|złote|złotych|zloty|zlotys',
  'CZK: CZK|kč|koruna|korun',
  'SEK: SEK|kr|krona|kronor',
  'NOK: NOK|kr|krone|kroner',
  'DKK: DKK|kr|krone|kroner',
  'KRW: KRW|₩|won|원',
  'TRY: TRY|₺|tl|lira|liras',
  'ILS: ILS|₪|shekel|shekels|שקל|שקלים',
  'THB: THB|฿|baht|บาท',
  'BRL: BRL|r $|real|reais',
  'HUF: HUF|ft|forint',
  'UAH: UAH|₴|hryvnia|грн|гривень',
  'CAD: CAD|c $|ca $',
  'AUD: AUD|a $|au $',
  'MXN: MXN|peso|pesos|mx $',
  'cent: cent|¢|cents|ct',
].join('; ')

/** Months that `Intl` does not give. */
export const monthNames =
  '1: jan|янв; 2: feb; 3: mar|mär|mrz; 4: apr; 5: may; 6: jun; 7: jul; 8: aug; 9: sep|sept; 10: oct|okt; 11: nov; 12: dec|dez'
