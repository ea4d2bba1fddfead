/**
 * What is measured for each function, method, operator and kind of node: an expression whose capital letters stand for
 * values of a kind. Values are large, and made to cost much.
 */

const same = 'a'.repeat(30_000)
const words = Array.from({ length: 3_000 }, (_, index) => `word ${(index * 7919) % 3001}`)
const numbers = Array.from({ length: 3_000 }, (_, index) => (index * 7919) % 3001)
const wide = () => Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index]))
const nested = () => [[[{ a: [same, { b: [`${same}b`] }] }]]]

export const payload = {
  many: Array.from({ length: 10_000 }, (_, index) => index),
  word: 'abc',
  letter: 'a',
  empty: '',
  same,
  twin: `${same}`.split('').join(''),
  long: 'a'.repeat(180_000),
  late: `${same}b`,
  early: `b${same}`,
  middle: `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`,
  periodic: 'aaaaaaab'.repeat(4_000),
  short: 'aaaaaab',
  blanks: ' '.repeat(100_000),
  spaced: 'ab '.repeat(20_000),
  singles: 'a '.repeat(20_000),
  commas: ','.repeat(60_000),
  emoji: '😀'.repeat(15_000),
  accents: 'éß'.repeat(15_000),
  digraphs: 'ǆ ﬁ '.repeat(10_000),
  strange: '\u0000\u2028\u{e0001}'.repeat(10_000),
  quotes: `'"\n`.repeat(10_000),
  digits: '9'.repeat(1_200),
  otherDigits: '१'.repeat(60_000),
  decimals: `${'1_'.repeat(2_000)}1.5e-300`,
  zero: 0,
  one: 1,
  minus: -1,
  seven: 7,
  far: 4_999,
  large: BigInt(`9${'7'.repeat(1_200)}`),
  negative: -BigInt(`8${'3'.repeat(1_200)}`),
  huge: BigInt(`9${'1'.repeat(4_200)}`),
  half: 0.5,
  tiny: 5e-324,
  small: 1.2345e-300,
  great: 1.7e308,
  third: 1 / 3,
  numbers,
  floats: numbers.map((n) => n / 7),
  larges: Array.from({ length: 300 }, (_, index) => BigInt(`9${'7'.repeat(1_200)}`) - BigInt(index)),
  words,
  texts: Array.from({ length: 50 }, () => same),
  twins: Array.from({ length: 50 }, () => `${same.slice(1)}a`),
  lists: Array.from({ length: 1_000 }, () => [1, [2, [3]]]),
  none: [],
  nested: nested(),
  copy: nested(),
  wide: wide(),
  other: wide(),
  field: { a: 1, b: same },
  object: {},
}

const given = (names: string) => names.split(' ').map((name) => `payload["${name}"]`)

/** Values that no payload holds, made once for each evaluation: the name, and what it is made of. */
export const made: Record<string, string> = {
  aSet: 'set(payload["numbers"][:1500])',
  aSubset: 'set(payload["numbers"][:1000])',
  aTuple: 'tuple(payload["words"][:2000])',
  aRange: 'range(2000)',
  aDict: '{one: one for one in payload["words"][:1000]}',
  aView: 'payload["wide"].keys()',
  aChain: 'tuple([payload["same"]])',
}

const texts = given(
  'same twin long late early middle periodic short word letter empty blanks spaced singles commas emoji accents digraphs strange quotes digits otherDigits decimals',
)
const numbersToo = given('zero one minus seven far large negative huge half tiny small great third')
const lists = [...given('numbers floats larges words texts twins lists none many'), 'aTuple']
const dicts = [...given('wide other field object'), 'aDict']
const iterables = [...lists, ...dicts, ...given('spaced emoji'), 'aSet', 'aRange', 'aView', '(y for y in aRange)']

/** What a capital letter stands for. */
export const pools: Record<string, readonly string[]> = {
  T: texts,
  N: numbersToo,
  L: lists,
  D: dicts,
  I: iterables,
  S: ['aSet', 'aSubset'],
  V: [...texts, ...numbersToo, ...iterables, ...given('nested copy'), 'None', 'True'],
  C: given('one seven minus far large'),
  F: [
    '".2f"',
    '",.99f"',
    '">60000"',
    '"060000,"',
    '"_.99f"',
    '"e"',
    '".99%"',
    '"+,d"',
    '"x"',
    '"_b"',
    '".99g"',
    '"^50000"',
  ].map((text) => text.slice(1, -1)),
}

export interface Case {
  /** What it covers, by the name in the table of the language. */
  of: string
  texts: readonly string[]
}

export const functionCases: Record<string, readonly string[]> = {
  len: ['len(V)'],
  any: ['any(I)', 'any(0 for y in I)'],
  all: ['all(I)'],
  sum: ['sum(I)', 'sum(L, N)', 'sum(payload["lists"], payload["none"])'],
  min: ['min(I)', 'min(N, N, N)', 'min(T, T)', 'min(I, default=1)'],
  max: ['max(I)', 'max(T, T)', 'max(I, default=1)'],
  abs: ['abs(N)'],
  round: ['round(N)', 'round(N, N)', 'round(N, 300)', 'round(N, -300)', 'round(N, -4999)', 'round(15, -4999)'],
  sorted: ['sorted(I)', 'sorted(L, reverse=True)'],
  str: ['str(V)'],
  int: ['int(T)', 'int(N)'],
  float: ['float(T)', 'float(N)'],
  bool: ['bool(V)'],
  list: ['list(I)'],
  tuple: ['tuple(I)'],
  set: ['set(I)'],
  dict: ['dict(D)', 'dict(payload["wide"].items())', 'dict([(y, y) for y in L])'],
  range: ['range(N, N, N)', 'range(2000)', 'range(payload["large"], payload["large"] + 2000)'],
}

export const methodCases: Record<'str' | 'dict' | 'list', Record<string, readonly string[]>> = {
  str: {
    lower: ['T.lower()'],
    upper: ['T.upper()'],
    title: ['T.title()'],
    strip: ['T.strip()', 'T.strip(T)'],
    lstrip: ['T.lstrip()', 'T.lstrip(T)'],
    rstrip: ['T.rstrip()', 'T.rstrip(T)'],
    split: ['T.split()', 'T.split(T)', 'T.split(T, 1)', 'T.split(None, C)'],
    rsplit: ['T.rsplit()', 'T.rsplit(T)', 'T.rsplit(T, 1)', 'T.rsplit(None, C)', 'T.rsplit(T, C)'],
    startswith: ['T.startswith(T)', 'T.startswith((T, T, T, T))', 'T.startswith(aTuple)'],
    endswith: ['T.endswith(T)', 'T.endswith((T, T, T, T))', 'T.endswith(aTuple)'],
    find: ['T.find(T)'],
    index: ['T.index(T)'],
    count: ['T.count(T)'],
    format: [
      '"{:F}".format(N)',
      '"{0}{0}{0}{0}".format(V)',
      '"{!r}".format(V)',
      '("{0:F}" * 99).format(N)',
      'T.format(1)',
    ],
    isdigit: ['T.isdigit()'],
    isalpha: ['T.isalpha()'],
    replace: ['T.replace(T, T)', 'T.replace(T, "")', 'T.replace("a", "b")', 'T.replace("", "-")'],
    join: ['T.join(I)', '"".join(I)', '"-".join(payload["words"])'],
  },
  dict: {
    get: ['D.get(V)', 'D.get((V, V))'],
    keys: ['D.keys()'],
    values: ['D.values()'],
    items: ['D.items()'],
  },
  list: {
    count: ['L.count(V)', 'payload["texts"].count(T)', 'L.count(payload["same"])'],
    index: ['L.index(V)', 'payload["twins"].index(payload["early"])'],
  },
}

export const typeTestCases = (name: string): readonly string[] => [`isinstance(V, ${name})`]

const onNumbers = (symbol: string) => [`N ${symbol} N`, `(N ${symbol} N) ${symbol} N`]
const onSets = (symbol: string) => [...onNumbers(symbol), `S ${symbol} S`, `D ${symbol} V`]

export const operatorCases: Record<string, readonly string[]> = {
  '+': [...onNumbers('+'), 'T + T', 'L + L', 'len(T + T)'],
  '-': onSets('-'),
  '*': [...onNumbers('*'), 'T * C', 'C * L', 'T * 2', 'L * 3'],
  '/': onNumbers('/'),
  '//': onNumbers('//'),
  '%': [
    ...onNumbers('%'),
    '"%s %r" % (V, V)',
    '"%.99f %s" % (N, T)',
    '"%060000d" % N',
    '("%.99e" * 99) % aTuple',
    'T % N',
    '"%(a)s" % D',
  ],
  '&': onSets('&'),
  '|': onSets('|'),
  '^': onSets('^'),
  '<<': ['N << C', 'N << 3000'],
  '>>': ['N >> C'],
  '**': ['N ** C', 'N ** N', '3 ** 2000', 'N ** 2', '(-7) ** 900'],
}

const compared = (symbol: string) => [
  `V ${symbol} V`,
  `T ${symbol} T`,
  `L ${symbol} L`,
  `N ${symbol} N`,
  `S ${symbol} S`,
]

export const comparisonCases = (symbol: string): readonly string[] =>
  symbol.endsWith('in')
    ? [`V ${symbol} I`, `T ${symbol} T`, `(V, V) ${symbol} D`, `V ${symbol} S`]
    : [
        ...compared(symbol),
        `D ${symbol} D`,
        `payload["nested"] ${symbol} payload["copy"]`,
        `payload["same"] ${symbol} payload["twin"]`,
      ]

/** By the parser's names, as in the table of `compile.ts`. */
export const nodeCases: Record<string, readonly string[]> = {
  VariableName: ['payload'],
  Number: ['12345678901234567890', '1.5'],
  String: ['"abc"'],
  ContinuedString: ['"a" "b" "c"'],
  FormatString: [
    'f"{V}{V!r}"',
    'f"{N:F}"',
    'f"{V}"',
    'f"{N:_.99f}"',
    'f"{N:060000,}"',
    'f"{T:>60000}"',
    'f"{T:.20000}"',
  ],
  Boolean: ['True'],
  None: ['None'],
  ParenthesizedExpression: ['(payload)', '(y for y in I)'],
  ArrayExpression: ['[V, V]'],
  TupleExpression: ['(V, V)'],
  SetExpression: ['{V, V, V}', '{(V, V)}', '{T}'],
  DictionaryExpression: ['{V: V, V: 1}', '{(V,): 1}'],
  ArrayComprehensionExpression: [
    '[y for y in I]',
    '[1 for a in [1] for b in [1] for c in [1] for d in [1] for e in aRange]',
    '[1 for a, b in payload["wide"].items()]',
    '[1 for y in payload["wide"] if y]',
  ],
  SetComprehensionExpression: ['{y for y in I}', '{(y, T) for y in aRange}'],
  DictionaryComprehensionExpression: ['{y: y for y in I}', '{T: y for y in aRange}'],
  ComprehensionExpression: ['sum(1 for y in I)', 'all(1 for a in [1] for b in [1] for c in aRange)'],
  ConditionalExpression: ['1 if V else 2'],
  UnaryExpression: ['not V', '-N', '+N'],
  BinaryExpression: ['V and V', 'V or V', 'V and V and V'],
  MemberExpression: [
    'T[C]',
    'L[C]',
    'D[V]',
    'D["ky"]',
    'D["key 1"]',
    'payload["wordz"]',
    'T[C:]',
    'T[:C]',
    'T[::-1]',
    'T[::7]',
    'L[1:]',
    'L[::-1]',
    'aTuple[1:]',
    'T[1:][0]',
  ],
  CallExpression: ['len(V)'],
}
