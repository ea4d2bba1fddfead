/** Puts blocks into rows of a page's width: lines of text, rows of tables, rules. Pure, given a measure. */
import type { TextTag } from '../interface.ts'
import type { Block, Style } from './blocks.ts'
import { breakLines, fieldSizes, type Line } from './break-lines.ts'
import type { Run } from './fill-in.ts'

export interface Ink {
  text: string
  style: Style
  x: number
  /** The base line, from the top of the row. */
  y: number
  size: number
}

export interface Room {
  tag: TextTag
  x: number
  /** Its top, from the top of the row. */
  y: number
  width: number
  height: number
}

export interface Stroke {
  x: number
  y: number
  width: number
  /** 0 for a line across. */
  height: number
  gray: number
}

export interface FlowRow {
  height: number
  ink: Ink[]
  rooms: Room[]
  strokes: Stroke[]
  keepsNext: boolean
  isGap: boolean
  head?: FlowRow
}

export interface Layout {
  width: number
  /** A row that is higher than this is torn. */
  room: number
  measure(text: string, style: Style, size: number): number
  startsRight(text: string): boolean
}

const bodySize = 10
const lineHeight = 1.42
const headingSizes = [18, 14, 12, 10.5, 10, 10]
const indent = 22
const cellPadding = 5
const faint = 0.75

/** Each section begins on a page of its own. */
export const layOut = (blocks: readonly Block<Run>[], layout: Layout): FlowRow[][] => {
  const flow = new Flow(layout)
  flow.blocks(blocks, { left: 0 })
  return flow.sections
}

type Drawn = Pick<FlowRow, 'height' | 'ink' | 'rooms' | 'strokes'>

interface Place {
  left: number
  /** Drawn before the first line. */
  mark?: string
  isQuote?: boolean
}

class Flow {
  readonly sections: FlowRow[][] = [[]]
  readonly #layout: Layout
  /** Height of rows that must stay with the next one, one after the other. */
  #held = 0

  constructor(layout: Layout) {
    this.#layout = layout
  }

  blocks(blocks: readonly Block<Run>[], place: Place): void {
    const { mark, ...rest } = place
    for (const [index, block] of blocks.entries())
      this.#block(block, index === 0 && mark !== undefined ? { ...rest, mark } : rest)
  }

  #block(block: Block<Run>, place: Place): void {
    if (block.kind === 'heading') this.#heading(block.level, block.parts, place)
    else if (block.kind === 'paragraph') this.#paragraph(block.parts, place, bodySize)
    else if (block.kind === 'code') this.#paragraph(block.parts, { ...place, left: place.left + 8 }, 8.5)
    else if (block.kind === 'list') this.#list(block, place)
    else if (block.kind === 'quote') this.blocks(block.blocks, { ...place, left: place.left + 14, isQuote: true })
    else if (block.kind === 'table') this.#table(block, place)
    else if (block.kind === 'rule') this.#rule(place)
    else this.sections.push([])
  }

  #add(row: Partial<FlowRow> & Pick<FlowRow, 'height'>): void {
    // What must stay together never takes more than a third of a page.
    this.#held = row.keepsNext ? this.#held + row.height : 0
    const keepsNext = row.keepsNext === true && this.#held < this.#layout.room / 3
    this.sections.at(-1)?.push({ ink: [], rooms: [], strokes: [], isGap: false, ...row, keepsNext })
  }

  #gap(height: number, keepsNext = false): void {
    this.#add({ height, isGap: true, keepsNext })
  }

  #heading(level: number, parts: readonly Run[], place: Place): void {
    const size = headingSizes[level - 1] ?? bodySize
    const bold = parts.map((run) => (run.kind === 'text' ? { ...run, style: { ...run.style, isBold: true } } : run))
    this.#gap(level === 1 ? 6 : size * 0.9)
    for (const row of this.#rows(bold, place, size)) this.#add({ ...row, keepsNext: true })
    this.#gap(size * 0.35, true)
  }

  #paragraph(parts: readonly Run[], place: Place, size: number): void {
    const rows = this.#rows(parts, place, size)
    // Neither the first nor the last line stands alone.
    for (const [index, row] of rows.entries())
      this.#add({ ...row, keepsNext: rows.length > 1 && (index === 0 || index === rows.length - 2) })
    this.#gap(size * 0.55)
  }

  #rows(parts: readonly Run[], { mark, ...place }: Place, size: number): Drawn[] {
    return this.#lines(parts, place.left, size).map((line, index) =>
      this.#row(line, index === 0 && mark !== undefined ? { ...place, mark } : place, size),
    )
  }

  #list({ start, items }: Extract<Block<Run>, { kind: 'list' }>, place: Place): void {
    for (const [index, item] of items.entries()) {
      const mark = start === null ? '•' : `${start + index}.`
      const blocks = item.length > 0 ? item : [{ kind: 'paragraph' as const, parts: [] }]
      this.blocks(blocks, { ...place, left: place.left + indent, mark })
    }
  }

  #rule({ left }: Place): void {
    this.#gap(4)
    this.#add({ height: 1, strokes: [{ x: left, y: 0, width: this.#layout.width - left, height: 0, gray: 0.6 }] })
    this.#gap(8)
  }

  #lines(parts: readonly Run[], left: number, size: number, width = this.#layout.width - left): Line[] {
    return breakLines(parts, Math.max(width, 40), (text, style) => this.#layout.measure(text, style, size))
  }

  /** A line of text, with a mark before it or a bar beside it. */
  #row(line: Line, place: Place, size: number): Drawn {
    const { width } = this.#layout
    const { ink, rooms, strokes, height } = this.#set(line, { left: place.left, width: width - place.left, size })
    if (place.mark !== undefined) {
      const style = { isBold: false, isItalic: false, isMono: false }
      const at = place.left - 6 - this.#layout.measure(place.mark, style, size)
      const x = this.#isRight(line) ? width - 12 : Math.max(0, at)
      ink.push({ text: place.mark, style, x, y: height - size * 0.42, size })
    }
    if (place.isQuote) strokes.push({ x: place.left - 10, y: 0, width: 0, height, gray: faint })
    return { height, ink, rooms, strokes }
  }

  #isRight(line: Line): boolean {
    const text = line.pieces.map(({ content }) => ('text' in content ? content.text : '')).join('')
    return this.#layout.startsRight(text)
  }

  /** A line that begins with a right-to-left letter is set from the right, piece by piece. */
  #set(line: Line, { left, width, size }: { left: number; width: number; size: number }) {
    const isRight = this.#isRight(line)
    const inset = isRight && left > 0 ? 0 : left
    const height = Math.max(size * lineHeight, line.fieldHeight + 8)
    const baseLine = height - size * 0.42
    const ink: Ink[] = []
    const rooms: Room[] = []
    const strokes: Stroke[] = []
    for (const { content, x, width: own } of line.pieces) {
      const at = isRight ? inset + width - x - own : inset + x
      if ('text' in content) ink.push({ ...content, x: at, y: baseLine, size })
      else {
        const { height: high } = fieldSizes[content.tag.type]
        const top = baseLine + 3 - high
        rooms.push({ tag: content.tag, x: at, y: top, width: own, height: high })
        strokes.push(...outlineOf(content.tag, { x: at, y: top, width: own, height: high }))
      }
    }
    return { ink, rooms, strokes, height }
  }

  #table({ head, rows }: Extract<Block<Run>, { kind: 'table' }>, { left }: Place): void {
    const all = head ? [head, ...rows] : rows
    const columns = all.reduce((most, row) => Math.max(most, row.length), 1)
    const widths = columnWidths(all, columns, this.#layout.width - left)
    const cells = (row: readonly Run[][], isHead: boolean): FlowRow[] => this.#tableRow(row, { left, widths, isHead })
    const headRows = head ? cells(head, true) : []
    const [only] = headRows
    const repeated = headRows.length === 1 && only ? { ...only, keepsNext: true } : undefined
    for (const row of headRows) this.#add({ ...row, keepsNext: true })
    for (const row of rows)
      for (const part of cells(row, false)) this.#add({ ...part, ...(repeated && { head: repeated }) })
    this.#gap(8)
  }

  /** One row, or one for each line where it is higher than a third of a page. */
  #tableRow(
    row: readonly Run[][],
    { left, widths, isHead }: { left: number; widths: readonly number[]; isHead: boolean },
  ): FlowRow[] {
    const size = 9
    const columns = widths.map((width, column) => {
      const parts = (row[column] ?? []).map((run) =>
        isHead && run.kind === 'text' ? { ...run, style: { ...run.style, isBold: true } } : run,
      )
      return this.#lines(parts, 0, size, width - 2 * cellPadding)
    })
    const lines = Array.from({ length: Math.max(1, ...columns.map(({ length }) => length)) }, (_, index) =>
      this.#tableLine(
        columns.map((column) => column[index]),
        { left, widths, size },
      ),
    )
    const padded = (rows: readonly FlowRow[]): FlowRow => {
      let top = cellPadding
      const parts = rows.map((row) => {
        const part = { ...row, top }
        top += row.height
        return part
      })
      return closed(stack(parts, top + cellPadding), { left, width: sum(widths) })
    }
    const whole = padded(lines)
    return whole.height <= this.#layout.room / 3 ? [whole] : lines.map((line) => padded([line]))
  }

  #tableLine(
    cells: readonly (Line | undefined)[],
    { left, widths, size }: { left: number; widths: readonly number[]; size: number },
  ): FlowRow {
    let x = left
    const parts = widths.map((width, column) => {
      const line = cells[column]
      const part = line && this.#set(line, { left: x + cellPadding, width: width - 2 * cellPadding, size })
      x += width
      return part
    })
    const height = parts.reduce((most, part) => Math.max(most, part?.height ?? 0), 0)
    // On one base line, however high the fields in a cell are.
    return stack(
      parts.flatMap((part) => (part ? { ...part, top: height - part.height } : [])),
      height,
    )
  }
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0)

/** As wide as their text asks for, within bounds. */
const columnWidths = (rows: readonly (readonly Run[][])[], columns: number, width: number): number[] => {
  const weights = Array.from({ length: columns }, (_, column) =>
    rows.reduce((most, row) => Math.max(most, weightOf(row[column] ?? [])), 6),
  )
  const total = sum(weights)
  return weights.map((weight) => (weight / total) * width)
}

const weightOf = (cell: readonly Run[]): number => {
  const wide = cell.reduce((most, run) => {
    if (run.kind === 'text') return most + run.text.length
    return run.kind === 'field' ? most + fieldSizes[run.tag.type].width / 5 : most
  }, 0)
  return Math.min(36, wide)
}

/** Parts of a row, each from its own top on. */
const stack = (parts: readonly (Omit<Drawn, 'height'> & { top: number })[], height: number): FlowRow => {
  const whole: FlowRow = { height, ink: [], rooms: [], strokes: [], keepsNext: false, isGap: false }
  for (const { top, ink, rooms, strokes } of parts) {
    for (const one of ink) whole.ink.push({ ...one, y: one.y + top })
    for (const one of rooms) whole.rooms.push({ ...one, y: one.y + top })
    for (const one of strokes) whole.strokes.push({ ...one, y: one.y + top })
  }
  return whole
}

const closed = (row: FlowRow, { left, width }: { left: number; width: number }): FlowRow => ({
  ...row,
  strokes: [...row.strokes, { x: left, y: row.height, width, height: 0, gray: faint }],
})

/** A line to write on; a square to tick. */
const outlineOf = ({ type }: TextTag, { x, y, width, height }: Omit<Room, 'tag'>): Stroke[] => {
  if (type !== 'CHECKBOX') return [{ x, y: y + height, width, height: 0, gray: 0.5 }]
  return [
    { x, y, width, height: 0, gray: 0.3 },
    { x, y: y + height, width, height: 0, gray: 0.3 },
    { x, y, width: 0, height, gray: 0.3 },
    { x: x + width, y, width: 0, height, gray: 0.3 },
  ]
}
