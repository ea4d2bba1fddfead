/** Puts rows on pages: no heading stands alone at the foot of a page, and a table's head is repeated. Pure. */

export interface PlacedText {
  text: string
  x: number
  /** The base line, from the top of the row. */
  y: number
  size: number
  isBold: boolean
  /** From black, 0, to white, 1. */
  gray: number
}

interface PagedRow {
  height: number
  /** Stays on one page with the next row. */
  keepsNext: boolean
  /** Space alone, left out at the top of a page. */
  isGap: boolean
}

export interface Row extends PagedRow {
  texts: readonly PlacedText[]
  /** A thin line below, from `x` on. */
  rule?: { x: number; width: number; gray: number }
  /** Repeated above this row when it is the first of a page. */
  head?: Row
}

export interface PlacedRow<Kind = Row> {
  row: Kind
  /** From the top of the page's text. */
  top: number
}

export const paginate = <Kind extends PagedRow & { head?: Kind }>(
  rows: readonly Kind[],
  room: number,
): PlacedRow<Kind>[][] => {
  const pages: PlacedRow<Kind>[][] = []
  let page: PlacedRow<Kind>[] = []
  let used = room
  /** By the row before, on its page. */
  let isHeld = false
  const put = (row: Kind): void => {
    page.push({ row, top: used })
    used += row.height
  }
  for (const [index, row] of rows.entries()) {
    if (row.isGap) {
      if (page.length > 0) used += row.height
      isHeld = isHeld && row.keepsNext
      continue
    }
    if (!isHeld && used + heightTogether(rows, index) > room) {
      page = []
      pages.push(page)
      used = 0
      if (row.head) put(row.head)
    }
    put(row)
    isHeld = row.keepsNext
  }
  return pages
}

/** Of a row and those that must stay with it. */
const heightTogether = (rows: readonly PagedRow[], first: number): number => {
  let height = 0
  for (let index = first; index < rows.length; index += 1) {
    const row = rows[index]
    if (!row) break
    height += row.height
    if (!row.keepsNext) break
  }
  return height
}
