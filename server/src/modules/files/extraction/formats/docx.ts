/** Word documents: paragraphs, headings by their style's outline level, tables, footnotes. Deleted text is left out. */
import { type Emit, emitTable, HeadingPath } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'
import { walkXml } from '../xml.ts'
import type { Zip } from '../zip.ts'

type Piece = { text: string; level: number } | { rows: string[][] }

export const emitDocx = async (zip: Zip, emit: Emit): Promise<void> => {
  const document = zip.text('word/document.xml')
  if (document === undefined) throw new ExtractionFailure('broken')
  const levels = readStyles(zip.text('word/styles.xml') ?? '')
  const headings = new HeadingPath()
  const parts = [document, zip.text('word/footnotes.xml') ?? '', zip.text('word/endnotes.xml') ?? '']
  for (const piece of parts.flatMap((part) => readPart(part, levels))) {
    if ('rows' in piece) await emitTable(emit, piece.rows, { heading: String(headings) })
    else {
      if (piece.level > 0) headings.enter(piece.level, piece.text)
      await emit({ text: piece.text, heading: String(headings) })
    }
  }
}

/** The outline level of each style, from 1. */
const readStyles = (xml: string): Map<string, number> => {
  const levels = new Map<string, number>()
  let style = ''
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'w:style') style = attributes['w:styleId'] ?? ''
      const value = attributes['w:val'] ?? ''
      if (name === 'w:outlineLvl' && Number(value) < 9) levels.set(style, Number(value) + 1)
      const named = name === 'w:name' ? /^heading ([1-9])$/i.exec(value)?.[1] : undefined
      if (named) levels.set(style, Number(named))
      if (name === 'w:name' && /^title$/i.test(value)) levels.set(style, 1)
    },
  })
  return levels
}

const readPart = (xml: string, levels: ReadonlyMap<string, number>): Piece[] => {
  const pieces: Piece[] = []
  const tables: string[][][] = []
  let text = ''
  let level = 0
  let isText = false
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'w:t') isText = true
      else if (name === 'w:tab') text += '\t'
      else if (name === 'w:br' || name === 'w:cr') text += '\n'
      else if (name === 'w:pStyle') level = levels.get(attributes['w:val'] ?? '') ?? 0
      else if (name === 'w:tbl') tables.push([])
      else if (name === 'w:tr') tables.at(-1)?.push([])
      else if (name === 'w:tc') tables.at(-1)?.at(-1)?.push('')
    },
    text: (piece) => {
      if (isText) text += piece
    },
    close: (name) => {
      if (name === 'w:t') isText = false
      else if (name === 'w:p') {
        const row = tables.at(-1)?.at(-1)
        if (row && row.length > 0) row[row.length - 1] += ` ${text}`
        else pieces.push({ text, level })
        text = ''
        level = 0
      } else if (name === 'w:tbl') {
        const rows = tables.pop()
        if (rows) pieces.push({ rows })
      }
    },
  })
  return pieces
}
