/** PDFs written object by object, for what no honest program writes. */
import { type Part, streamText } from './pdf-revisions.ts'

export interface RawShape {
  /** In the trailer. */
  trailer?: string
  /** Instead of the right table. */
  table?: (right: string) => string
  before?: string
  /** Bytes between the objects and the table. */
  stray?: string
}

export const rawPdf = (
  parts: readonly Part[],
  { trailer = '', table, before = '', stray = '' }: RawShape = {},
): Buffer => {
  let text = `${before}%PDF-1.7\n`
  const offsets = new Map<number, number>()
  for (const [number, body] of parts) {
    if (!offsets.has(number)) offsets.set(number, text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  text += stray
  const size = Math.max(...offsets.keys()) + 1
  const rows = Array.from({ length: size - 1 }, (_, index) => {
    const offset = offsets.get(index + 1)
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const right = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`
  const start = text.length
  text += `${table?.(right) ?? right}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

interface OnePage {
  content?: string
  /** In the page. */
  page?: string
  /** In the resources of the page. */
  resources?: string
  /** In the catalog. */
  catalog?: string
  /** Numbers from 10 on. */
  more?: readonly Part[]
}

/** Objects 1 to 5: catalog, tree, page, contents, font. */
export const onePage = ({
  content = 'BT /F1 20 Tf 50 50 Td (Shown) Tj ET',
  page = '',
  resources = '',
  catalog = '',
  more = [],
}: OnePage = {}): Part[] => [
  [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
  [2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
  [
    3,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
  ],
  [4, streamText('', content)],
  [5, helvetica],
  ...more,
]

/** With other text in one object. */
export const changed = (parts: readonly Part[], number: number, change: (text: string) => string): Part[] =>
  parts.map(([one, text]) => (one === number ? [one, change(text)] : [one, text]))

/** A text at a position, in points. */
export const say = (text: string, x = 50, y = 50): string => `BT /F1 20 Tf ${x} ${y} Td (${text}) Tj ET`
