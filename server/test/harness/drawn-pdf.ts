/** PDFs of one page from their parts, so that two can differ in one of them. */

export interface DrawnParts {
  /** What the page draws. */
  content?: string
  /** Entries of the page's dictionary beside its tree and its content. */
  page?: string
  /** Entries of the catalog. */
  catalog?: string
  /** More objects, from number 5 on. */
  objects?: readonly (string | Buffer)[]
}

export const helvetica = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'

export const drawnPdf = ({
  content = 'BT /F1 12 Tf 50 700 Td (Pay 10 EUR) Tj ET',
  page = `/Resources << ${helvetica} >>`,
  catalog = '',
  objects = [],
}: DrawnParts = {}): Buffer => {
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ${page} >>`,
    streamObject('', content),
    ...objects,
  ]
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let size = pieces[0]?.length ?? 0
  for (const [index, body] of bodies.entries()) {
    offsets.push(size)
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')])
    pieces.push(piece)
    size += piece.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  const end = `${table}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(end)])
}

export const streamObject = (entries: string, data: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(data)
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}
