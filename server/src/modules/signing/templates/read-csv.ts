/** Pure. Reads CSV as spreadsheets write it: RFC 4180, commas or semicolons, any line end, with or without a mark at its start. */

export class CsvProblem extends Error {}

/** Far more than a table of people has; two megabytes could hold two million. */
const maxCells = 100_000
/** The separator is looked for in this much of the first line. */
const maxHeadLength = 10_000

/** Rows of cells; empty lines are left out. The separator is the one that the first line holds more of. */
export const readCsv = (source: string): string[][] => {
  const text = source.replace(/^\ufeff/, '')
  const head = text.slice(0, maxHeadLength).split(/\r\n|\n|\r/, 1)[0] ?? ''
  const separator = count(head, ';') > count(head, ',') ? ';' : ','
  return new Reader(text, separator).rows().filter((row) => row.some((cell) => cell !== ''))
}

const count = (text: string, character: string): number => text.split(character).length - 1

class Reader {
  #at = 0
  #cells = 0
  readonly #text: string
  readonly #separator: string
  readonly #plain: RegExp

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator
    this.#plain = separator === ';' ? /[^;\r\n]*/y : /[^,\r\n]*/y
  }

  rows(): string[][] {
    const rows: string[][] = []
    while (this.#at < this.#text.length) rows.push(this.#row())
    return rows
  }

  #row(): string[] {
    const cells = [this.#cell()]
    while (this.#text[this.#at] === this.#separator) {
      this.#at += 1
      cells.push(this.#cell())
    }
    if (this.#text.startsWith('\r\n', this.#at)) this.#at += 2
    else this.#at += 1
    return cells
  }

  #cell(): string {
    this.#cells += 1
    if (this.#cells > maxCells) throw new CsvProblem(`A table holds at most ${maxCells.toLocaleString('en')} cells.`)
    if (this.#text[this.#at] === '"') return this.#quoted()
    this.#plain.lastIndex = this.#at
    const [cell = ''] = this.#plain.exec(this.#text) ?? []
    this.#at += cell.length
    return cell.trim()
  }

  #isEnd(character: string): boolean {
    return character === this.#separator || character === '\n' || character === '\r'
  }

  #quoted(): string {
    const start = this.#at + 1
    let end = this.#text.indexOf('"', start)
    while (end >= 0 && this.#text[end + 1] === '"') end = this.#text.indexOf('"', end + 2)
    if (end < 0) throw new CsvProblem('A quoted cell has no end.')
    this.#at = end + 1
    const next = this.#text[this.#at]
    if (next !== undefined && !this.#isEnd(next)) throw new CsvProblem('There is text after a quoted cell.')
    return this.#text.slice(start, end).replace(/""/g, '"')
  }
}
