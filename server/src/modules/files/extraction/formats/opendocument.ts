/** OpenDocument texts, spreadsheets and presentations. */
import { type Emit, emitTable, HeadingPath } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'
import { walkXml } from '../xml.ts'
import type { Zip } from '../zip.ts'

interface OnPage {
  page: number | undefined
}
type Piece = OnPage & ({ text: string; level: number } | { rows: string[][]; name: string })

/** A sheet repeats its last empty cell and row up to its edge. */
const maxRepeats = 100

export const emitOpenDocument = async (zip: Zip, emit: Emit): Promise<void> => {
  const xml = zip.text('content.xml')
  if (xml === undefined) throw new ExtractionFailure('broken')
  const headings = new HeadingPath()
  for (const piece of readContent(xml)) {
    const page = piece.page === undefined ? {} : { page: piece.page }
    if ('rows' in piece) await emitTable(emit, piece.rows, { ...page, heading: String(headings) || piece.name })
    else {
      if (piece.level > 0) headings.enter(piece.level, piece.text)
      await emit({ text: piece.text, ...page, heading: String(headings) })
    }
  }
}

const readContent = (xml: string): Piece[] => {
  const pieces: Piece[] = []
  const tables: { name: string; rows: string[][]; repeats: number }[] = []
  let page: number | undefined
  let text = ''
  let textDepth = 0
  let level = 0
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'text:p' || name === 'text:h') {
        if (textDepth === 0) text = ''
        textDepth += 1
        level = name === 'text:h' ? Number(attributes['text:outline-level'] ?? 1) : 0
      } else if (name === 'text:s') text += ' '.repeat(Math.min(maxRepeats, Number(attributes['text:c'] ?? 1)))
      else if (name === 'text:tab') text += '\t'
      else if (name === 'text:line-break') text += '\n'
      else if (name === 'draw:page') page = (page ?? 0) + 1
      else if (name === 'table:table') tables.push({ name: attributes['table:name'] ?? '', rows: [], repeats: 1 })
      else if (name === 'table:table-row') tables.at(-1)?.rows.push([])
      else if (name === 'table:table-cell') {
        const table = tables.at(-1)
        table?.rows.at(-1)?.push('')
        if (table) table.repeats = Math.min(maxRepeats, Number(attributes['table:number-columns-repeated'] ?? 1))
      }
    },
    text: (piece) => {
      if (textDepth > 0) text += piece
    },
    close: (name) => {
      const table = tables.at(-1)
      const row = table?.rows.at(-1)
      if (name === 'text:p' || name === 'text:h') {
        textDepth -= 1
        if (textDepth > 0) return
        if (row && row.length > 0) row[row.length - 1] += ` ${text}`
        else pieces.push({ text, level, page })
      } else if (name === 'table:table-cell' && table && row) {
        const value = row.at(-1) ?? ''
        for (let times = 1; times < table.repeats && value !== ''; times += 1) row.push(value)
      } else if (name === 'table:table') {
        const done = tables.pop()
        if (done) pieces.push({ rows: done.rows, name: done.name, page })
      }
    },
  })
  return pieces
}
