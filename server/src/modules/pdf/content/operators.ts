/** The instructions that a page may be drawn with, and what each needs. Pure. */

/** `n` number, `s` string, `N` name, `a` list, `p` name or dictionary; `*` any numbers, `?` any numbers and a name. */
const operands: Record<string, string> = {
  q: '',
  Q: '',
  cm: 'nnnnnn',
  w: 'n',
  J: 'n',
  j: 'n',
  M: 'n',
  d: 'an',
  ri: 'N',
  i: 'n',
  gs: 'N',
  m: 'nn',
  l: 'nn',
  c: 'nnnnnn',
  v: 'nnnn',
  y: 'nnnn',
  h: '',
  re: 'nnnn',
  S: '',
  s: '',
  f: '',
  F: '',
  'f*': '',
  B: '',
  'B*': '',
  b: '',
  'b*': '',
  n: '',
  W: '',
  'W*': '',
  BT: '',
  ET: '',
  Tc: 'n',
  Tw: 'n',
  Tz: 'n',
  TL: 'n',
  Tf: 'Nn',
  Tr: 'n',
  Ts: 'n',
  Td: 'nn',
  TD: 'nn',
  Tm: 'nnnnnn',
  'T*': '',
  Tj: 's',
  TJ: 'a',
  "'": 's',
  '"': 'nns',
  d0: 'nn',
  d1: 'nnnnnn',
  CS: 'N',
  cs: 'N',
  SC: '*',
  sc: '*',
  SCN: '?',
  scn: '?',
  G: 'n',
  g: 'n',
  RG: 'nnn',
  rg: 'nnn',
  K: 'nnnn',
  k: 'nnnn',
  sh: 'N',
  Do: 'N',
  BMC: 'N',
  BDC: 'Np',
  EMC: '',
  MP: 'N',
  DP: 'Np',
  BX: '',
  EX: '',
}

export const operandsOf = (operator: string): string | undefined =>
  Object.hasOwn(operands, operator) ? operands[operator] : undefined

export type Category = 'XObject' | 'Font' | 'ColorSpace' | 'Pattern' | 'Shading' | 'ExtGState'

/** Where an instruction looks for what its last name (its first, with `Tf`) stands for. */
export const categoryOf: Readonly<Record<string, Category>> = {
  Do: 'XObject',
  Tf: 'Font',
  CS: 'ColorSpace',
  cs: 'ColorSpace',
  SCN: 'Pattern',
  scn: 'Pattern',
  sh: 'Shading',
  gs: 'ExtGState',
}

export const deviceSpaces: ReadonlySet<string> = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern'])

/** They draw what the path before them is. */
export const paintsPath: ReadonlySet<string> = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
export const showsText: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
/** After them, text begins at a position that doesn't depend on the text before. */
export const movesText: ReadonlySet<string> = new Set(['BT', 'Td', 'TD', 'Tm', 'T*', 'ET'])
