/** Collects what a certificate says as rows: headings, pairs, paragraphs and tables, from either side of the page. */
import type { TextPen } from '../draw-text.ts'
import type { PlacedText, Row } from './paginate.ts'

export const paper = { width: 595, height: 842 }
export const margin = { side: 50, top: 52, bottom: 62 }
export const textWidth = paper.width - 2 * margin.side
const labelWidth = 122
const lineHeight = 1.36
/** Of a cell; nothing that anybody typed can fill pages. */
const mostLines = 6
const quiet = 0.42

export interface Cell {
  text: string
  /** Smaller, below the text. */
  note?: string | null
  isBold?: boolean
  mostLines?: number
}

export interface Column {
  width: number
  title: string
}

interface Place {
  x: number
  width: number
  size: number
  isBold?: boolean
  gray?: number
  mostLines?: number
}

/** As much of a row as text takes: its lines and where the next would begin. */
interface Block {
  texts: PlacedText[]
  bottom: number
}

export class Sheet {
  readonly rows: Row[] = []
  readonly #pen: TextPen
  readonly #isRightToLeft: boolean

  constructor(pen: TextPen, { isRightToLeft }: { isRightToLeft: boolean }) {
    this.#pen = pen
    this.#isRightToLeft = isRightToLeft
  }

  title(text: string): void {
    const { texts, bottom } = this.#lines(text, 0, { x: 0, width: textWidth, size: 19, isBold: true })
    this.#add({ texts, height: bottom + 6, keepsNext: true })
  }

  heading(text: string): void {
    this.gap(14)
    const { texts, bottom } = this.#lines(text, 0, { x: 0, width: textWidth, size: 11.5, isBold: true })
    this.#add({ texts, height: bottom + 4, keepsNext: true, rule: { x: 0, width: textWidth, gray: 0.6 } })
    this.gap(4, true)
  }

  subheading(text: string, note: string | null = null): void {
    this.gap(8)
    const title = this.#lines(text, 0, { x: 0, width: textWidth, size: 9.5, isBold: true })
    const below = this.#lines(note ?? '', title.bottom, { x: 0, width: textWidth, size: 8, gray: quiet })
    this.#add({ texts: [...title.texts, ...below.texts], height: below.bottom + 4, keepsNext: true })
  }

  /** Nothing is written for an empty value. Notes follow on lines of their own. */
  pair(label: string, value: string | null, notes: readonly (string | null)[] = []): void {
    if (value === null || value === '') return
    const left = this.#lines(label, 0, { x: 0, width: labelWidth - 8, size: 8, gray: quiet })
    const at = { x: labelWidth, width: textWidth - labelWidth }
    let right = this.#lines(value, 0, { ...at, size: 8, mostLines: 24 })
    for (const note of notes) {
      const { texts, bottom } = this.#lines(note ?? '', right.bottom, { ...at, size: 7, gray: quiet, mostLines: 3 })
      right = { texts: [...right.texts, ...texts], bottom }
    }
    this.#add({ texts: [...left.texts, ...right.texts], height: Math.max(left.bottom, right.bottom) + 2 })
  }

  paragraph(text: string): void {
    const { texts, bottom } = this.#lines(text, 0, { x: 0, width: textWidth, size: 8, mostLines: 40 })
    this.#add({ texts, height: bottom + 3 })
  }

  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    if (rows.length === 0) return
    const titles = columns.map(({ title }) => ({ text: title, isBold: true }))
    const head: Row = { ...this.#tableRow(columns, titles, quiet), keepsNext: true, isGap: false }
    this.#add(head)
    for (const cells of rows) this.#add({ ...this.#tableRow(columns, cells, 0.85), head })
  }

  gap(height: number, keepsNext = false): void {
    this.#add({ texts: [], height, isGap: true, keepsNext })
  }

  /** The line at the foot of a page. */
  footer(left: string, right: string): PlacedText[] {
    const style = { width: textWidth, size: 7, gray: quiet }
    const end = textWidth - this.#pen.widthOf(right, style.size)
    return [...this.#lines(left, 0, { ...style, x: 0 }).texts, ...this.#lines(right, 0, { ...style, x: end }).texts]
  }

  #tableRow(
    columns: readonly Column[],
    cells: readonly Cell[],
    ruleGray: number,
  ): Pick<Row, 'texts' | 'height' | 'rule'> {
    let x = 0
    let bottom = 0
    const texts = cells.flatMap(({ text, note, isBold = false, mostLines: most = mostLines }, index) => {
      const column = columns[index]?.width ?? 0
      const width = index === columns.length - 1 ? column : column - 8
      const main = this.#lines(text, 3, { x, width, size: 7.5, isBold, mostLines: most })
      const below = this.#lines(note ?? '', main.bottom, { x, width, size: 6.2, gray: quiet, mostLines: most })
      x += column
      bottom = Math.max(bottom, below.bottom)
      return [...main.texts, ...below.texts]
    })
    return { texts, height: bottom + 3, rule: { x: 0, width: textWidth, gray: ruleGray } }
  }

  #add(row: Pick<Row, 'texts' | 'height'> & Partial<Row>): void {
    this.rows.push({ keepsNext: false, isGap: false, ...row })
  }

  #lines(text: string, top: number, { isBold = false, gray = 0, mostLines: most = mostLines, ...place }: Place): Block {
    const { size, width } = place
    if (text === '') return { texts: [], bottom: top }
    const all = this.#pen.wrap(beginningOf(text, most), size, width)
    const lines = all.length > most ? [...all.slice(0, most - 1), `${all[most - 1]}…`] : all
    const texts = lines.map((line, index) => {
      const directed = this.#isRightToLeft ? fromRight(line) : line
      const x = this.#isRightToLeft ? textWidth - place.x - this.#pen.widthOf(directed, size) : place.x
      return { text: directed, x, y: top + index * size * lineHeight + size, size, isBold, gray }
    })
    return { texts, bottom: top + lines.length * size * lineHeight }
  }
}

/** More than fits on so many lines, so that no text is measured that isn't drawn. */
const beginningOf = (text: string, lines: number): string =>
  text.length <= lines * 200 ? text : text.slice(0, lines * 200).replace(/[\ud800-\udbff]$/, '')

/**
 * The whole line runs from right to left, whatever it begins with, but Latin words and numbers in it stay as they are: a
 * date or an identifier would be taken apart at its hyphens, and an address would lose a bracket.
 */
const fromRight = (line: string): string =>
  `\u200f${line.replace(/<[!-~]+>|[A-Za-z0-9](?:[!-~]*[A-Za-z0-9])?/g, (word) => `\u200e${word}\u200e`)}`
