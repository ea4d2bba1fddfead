/** Spreadsheets: every sheet as a table under its name. Dates come out as dates. */
import { type Emit, emitTable } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'
import { readRelationships, walkXml } from '../xml.ts'
import type { Zip } from '../zip.ts'

/** A sheet can claim cells at column XFD; what lies far outside is cut. */
const maxColumns = 500

export const emitXlsx = async (zip: Zip, emit: Emit): Promise<void> => {
  const workbook = zip.text('xl/workbook.xml')
  if (workbook === undefined) throw new ExtractionFailure('broken')
  const targets = readRelationships(zip.text('xl/_rels/workbook.xml.rels'), 'xl')
  const strings = readStrings(zip.text('xl/sharedStrings.xml') ?? '')
  const isDate = readDateStyles(zip.text('xl/styles.xml') ?? '')
  const sheets: { name: string; path: string }[] = []
  walkXml(workbook, {
    open: (name, attributes) => {
      const path = name === 'sheet' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (path) sheets.push({ name: attributes.name ?? '', path })
    },
  })
  for (const [index, { name, path }] of sheets.entries()) {
    const rows = readSheet(zip.text(path) ?? '', strings, isDate)
    await emitTable(emit, rows, { page: index + 1, heading: name })
  }
}

const readStrings = (xml: string): string[] => {
  const strings: string[] = []
  let isText = false
  let isPhonetic = false
  walkXml(xml, {
    open: (name) => {
      if (name === 'si') strings.push('')
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isText = !isPhonetic
    },
    text: (piece) => {
      if (isText) strings[strings.length - 1] += piece
    },
    close: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
    },
  })
  return strings
}

/** Which cell styles show a number as a date. */
const readDateStyles = (xml: string): ((style: number) => boolean) => {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let isCell = false
  walkXml(xml, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode ?? '')
      else if (name === 'cellXfs') isCell = true
      else if (name === 'xf' && isCell) styles.push(Number(numFmtId))
    },
    close: (name) => {
      if (name === 'cellXfs') isCell = false
    },
  })
  return (style) => {
    const id = styles[style] ?? 0
    const custom = formats.get(id)?.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    return custom === undefined ? id >= 14 && id <= 22 : /[dy]/i.test(custom) || /h.*m/i.test(custom)
  }
}

const readSheet = (xml: string, strings: readonly string[], isDate: (style: number) => boolean): string[][] => {
  const rows: string[][] = []
  let cell = { column: 0, type: '', style: 0 }
  let value = ''
  let isValue = false
  walkXml(xml, {
    open: (name, { r, t, s }) => {
      if (name === 'row') rows.push([])
      else if (name === 'c') {
        cell = { column: r ? columnOf(r) : (rows.at(-1)?.length ?? 0), type: t ?? '', style: Number(s ?? 0) }
        value = ''
      } else if (name === 'v' || name === 't') isValue = true
    },
    text: (piece) => {
      if (isValue) value += piece
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false
      const row = rows.at(-1)
      if (name !== 'c' || !row || cell.column >= maxColumns) return
      while (row.length < cell.column) row.push('')
      row[cell.column] = shown(value, cell, { strings, isDate })
    },
  })
  return rows
}

const columnOf = (reference: string): number => {
  let column = 0
  for (const letter of reference.replace(/\d+$/, '')) column = column * 26 + (letter.charCodeAt(0) - 64)
  return column - 1
}

const dayMs = 86_400_000
/** Day 0 of spreadsheets, with their leap year of 1900. */
const epochMs = Date.UTC(1899, 11, 30)

const shown = (
  value: string,
  { type, style }: { type: string; style: number },
  { strings, isDate }: { strings: readonly string[]; isDate: (style: number) => boolean },
): string => {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  const days = Number(value)
  if (type !== '' || value === '' || !isDate(style) || !(days >= 0 && days < 3_000_000)) return value
  const date = new Date(epochMs + Math.round(days * dayMs)).toISOString()
  return days % 1 === 0 ? date.slice(0, 10) : date.slice(0, 16).replace('T', ' ')
}
