/**
 * Markdown as people and models write contracts: headings, paragraphs, lists, quotes, tables, code, rules, and
 * `\pagebreak`. HTML in it stays as text. Each line is read once for every level that it is nested in.
 */
import { type Block, inlineOf, mono, mostColumns, mostNested } from './blocks.ts'
import { readInline } from './read-inline.ts'

export const readMarkdown = (text: string): Block[] => readBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0)

interface Reading {
  lines: readonly string[]
  at: number
  level: number
  blocks: Block[]
}

/** True when it took lines. */
type Reader = (reading: Reading) => boolean

const readBlocks = (lines: readonly string[], level: number): Block[] => {
  const reading: Reading = { lines, at: 0, level, blocks: [] }
  while (reading.at < lines.length) {
    if (isBlank(lineAt(reading))) reading.at += 1
    else if (!readers.some((read) => read(reading))) readParagraph(reading)
  }
  return reading.blocks
}

const lineAt = ({ lines, at }: Reading, offset = 0): string => lines[at + offset] ?? ''
const isBlank = (line: string): boolean => line.trim() === ''
const indentOf = (line: string): number => line.length - line.trimStart().length

const fenceOf = (line: string): string | undefined => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]

const readCode: Reader = (reading) => {
  const fence = fenceOf(lineAt(reading))
  if (fence === undefined) return false
  const code: string[] = []
  for (reading.at += 1; reading.at < reading.lines.length; reading.at += 1) {
    const line = lineAt(reading)
    if (line.trim().startsWith(fence) && line.trim().replaceAll(fence.charAt(0), '') === '') break
    code.push(line)
  }
  reading.at += 1
  reading.blocks.push({ kind: 'code', parts: inlineOf(code.join('\n'), mono) })
  return true
}

const headingStart = /^ {0,3}(#{1,6})(?=[ \t]|$)/

const readHeading: Reader = (reading) => {
  const line = lineAt(reading)
  const start = headingStart.exec(line)
  if (!start) return false
  const text = withoutTrailing(line.slice(start[0].length).trim())
  reading.blocks.push({ kind: 'heading', level: start[1]?.length ?? 1, parts: readInline(text) })
  reading.at += 1
  return true
}

const withoutTrailing = (text: string): string => {
  let end = text.length
  while (text.charAt(end - 1) === '#') end -= 1
  return end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text
}

const isPageBreak = (line: string): boolean => /^\\(?:pagebreak|newpage)$/.test(line.trim())
const isRule = (line: string): boolean => {
  const marks = line.replace(/[ \t]/g, '')
  return marks.length >= 3 && /^[-*_]/.test(marks) && marks.replaceAll(marks.charAt(0), '') === ''
}

const readRule: Reader = (reading) => {
  const line = lineAt(reading)
  if (!isPageBreak(line) && !isRule(line)) return false
  reading.blocks.push({ kind: isPageBreak(line) ? 'pageBreak' : 'rule' })
  reading.at += 1
  return true
}

const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line)

const readQuote: Reader = (reading) => {
  if (!isQuoted(lineAt(reading)) || reading.level >= mostNested) return false
  const lines: string[] = []
  for (; isQuoted(lineAt(reading)); reading.at += 1) lines.push(lineAt(reading).replace(/^ {0,3}> ?/, ''))
  reading.blocks.push({ kind: 'quote', blocks: readBlocks(lines, reading.level + 1) })
  return true
}

interface ListMark {
  /** Null for a bullet. */
  number: number | null
  /** Where the item's text begins. */
  width: number
}

const listMark = (line: string): ListMark | undefined => {
  const mark = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(line)
  if (!mark) return undefined
  const { length } = mark[0]
  const space = indentOf(line.slice(length))
  return { number: mark[1] === undefined ? null : Number(mark[1]), width: length + (space > 4 ? 1 : space) }
}

/** Models often indent by two, whatever the mark's width. */
const leastIndent = 2

const readList: Reader = (reading) => {
  const first = listMark(lineAt(reading))
  if (!first || reading.level >= mostNested) return false
  const items: Block[][] = []
  for (let mark: ListMark | undefined = first; mark; mark = nextMark(reading, first)) {
    items.push(readBlocks(takeItem(reading, mark), reading.level + 1))
  }
  reading.blocks.push({ kind: 'list', start: first.number, items })
  return true
}

const nextMark = (reading: Reading, first: ListMark): ListMark | undefined => {
  const line = lineAt(reading)
  const mark = isRule(line) ? undefined : listMark(line)
  return mark && (mark.number === null) === (first.number === null) ? mark : undefined
}

const takeItem = (reading: Reading, mark: ListMark): string[] => {
  const lines = [lineAt(reading).slice(mark.width)]
  for (reading.at += 1; reading.at < reading.lines.length; reading.at += 1) {
    const line = lineAt(reading)
    const indent = indentOf(line)
    const isContinued = !isBlank(lineAt(reading, -1)) && !startsBlock(line)
    if (!isBlank(line) && indent < leastIndent && !isContinued) break
    lines.push(line.slice(Math.min(indent, mark.width)))
  }
  return lines
}

const cellsOf = (line: string): string[] => {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .split(/(?<!\\)\|/)
  if (cells.at(-1)?.trim() === '' && cells.length > 1) cells.pop()
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

const isDelimiter = (line: string): boolean => line.includes('-') && line.includes('|') && /^[\s|:-]+$/.test(line)
const beginsTable = (reading: Reading): boolean => lineAt(reading).includes('|') && isDelimiter(lineAt(reading, 1))

const readTable: Reader = (reading) => {
  if (!beginsTable(reading)) return false
  const head = cellsOf(lineAt(reading))
  if (head.length > mostColumns) return false
  const rows: string[][] = []
  for (reading.at += 2; lineAt(reading).includes('|'); reading.at += 1) rows.push(cellsOf(lineAt(reading)))
  const inRow = (cells: string[]) => head.map((_, column) => readInline(joinedAt(cells, column, head.length)))
  reading.blocks.push({ kind: 'table', head: inRow(head), rows: rows.map(inRow) })
  return true
}

/** The last column takes what a row has too much of. */
const joinedAt = (cells: readonly string[], column: number, columns: number): string =>
  column === columns - 1 ? cells.slice(column).join(' | ') : (cells[column] ?? '')

const readers: readonly Reader[] = [readCode, readHeading, readRule, readQuote, readList, readTable]

/** Ends a paragraph without an empty line. */
const startsBlock = (line: string): boolean =>
  fenceOf(line) !== undefined ||
  headingStart.test(line) ||
  isPageBreak(line) ||
  isRule(line) ||
  isQuoted(line) ||
  listMark(line) !== undefined

const readParagraph = (reading: Reading): void => {
  const lines: string[] = []
  do {
    lines.push(lineAt(reading))
    reading.at += 1
    const underline = lineAt(reading).trim()
    if (/^(?:=+|-{2,})$/.test(underline)) {
      reading.at += 1
      const level = underline.startsWith('=') ? 1 : 2
      reading.blocks.push({ kind: 'heading', level, parts: readInline(joinLines(lines)) })
      return
    }
  } while (!isBlank(lineAt(reading)) && !startsBlock(lineAt(reading)) && !beginsTable(reading))
  reading.blocks.push({ kind: 'paragraph', parts: readInline(joinLines(lines)) })
}

/** Lines of a paragraph run on, except after two spaces or a backslash. */
const joinLines = (lines: readonly string[]): string =>
  lines
    .map((line, index) => {
      const text = line.trim()
      if (index === lines.length - 1) return text
      return line.endsWith('  ') || text.endsWith('\\') ? `${text.replace(/\\$/, '')}\n` : `${text} `
    })
    .join('')
