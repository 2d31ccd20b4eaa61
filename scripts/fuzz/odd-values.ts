const nested = (depth: number, open: string, close: string, middle = ''): string =>
  open.repeat(depth) + middle + close.repeat(depth)

const spaces = [
  '',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\u0000',
  '\u001b[31mred\u0007',
  '\u2028',
  '\ufeff',
  '\u202e',
  '\ud800',
]
const paths = '../../../etc/passwd /etc/passwd ..\\..\\x C:\\x con . .. ~ a/b - --help'
const names = '__proto__ constructor toString hasOwnProperty length then null undefined NaN Infinity'
const code = '${FUZZ_KEY} $FUZZ_KEY ${process.env} `id` $(id) =1+1 @x <script> " \' \\ , ;'
const yaml = '{ } [ ] : # &a *a !!js/function | > --- ...'
const numbers = '0 -1 1e999 0x10 1_000 00 1.7976931348623157e308 9007199254740993 -0 5e-324'

/** Texts that careless programs mistake: paths, names of JavaScript, control characters, halves of characters, what a shell or a formula would run. */
export const oddTexts: readonly string[] = [
  ...spaces,
  ...[paths, names, code, yaml, numbers].flatMap((words) => words.split(' ')),
  ...['<<: *a', '- ', '? ', '%YAML 9', '👩‍👩‍👧', 'é\u0301', '\u0301'.repeat(500)],
  ...['x'.repeat(5000), 'word '.repeat(3000), nested(200, '[', ']'), nested(3000, '{"a":', '}')],
]

/** Names of fields. */
export const oddNames: readonly string[] = '__proto__ constructor toString length a.b ../x X'
  .split(' ')
  .concat('', '\u0000', '\ud800')

const plain =
  'null true false [] {} "" 1 0.5 1.5 1e308 -1e308 1e21 4294967296 2147483648 "NaN" "1" "true" [null] [[]] ["a","a"]'
const objects = '{"length":1e9} {"then":1} {"a":1,"a":2} {"toString":1} {"toJSON":1} {"0":1} "\\ud800" "\\u0000"'

/** Values as JSON, and some that are nearly so. */
export const oddJson: readonly string[] = [
  ...[plain, objects, numbers, 'NaN Infinity'].flatMap((words) => words.split(' ')),
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
  ...oddTexts.map((text) => JSON.stringify(text)),
  ...[nested(50, '[', ']'), nested(2000, '[', ']'), nested(1000, '{"a":', '}', '1'), `[${'0,'.repeat(5000)}0]`],
]
