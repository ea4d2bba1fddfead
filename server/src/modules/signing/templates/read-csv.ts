/** Pure. Reads CSV as spreadsheets write it: RFC 4180, commas or semicolons, any line end, with or without a mark at its start. */

export class CsvProblem extends Error {}

/** Rows of cells; empty lines are left out. The separator is the one that the first line holds more of. */
export const readCsv = (source: string): string[][] => {
  const text = source.replace(/^\ufeff/, '')
  const head = text.split(/\r\n|\n|\r/, 1)[0] ?? ''
  const separator = count(head, ';') > count(head, ',') ? ';' : ','
  return new Reader(text, separator).rows().filter((row) => row.some((cell) => cell !== ''))
}

const count = (text: string, character: string): number => text.split(character).length - 1

class Reader {
  #at = 0
  readonly #text: string
  readonly #separator: string

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator
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
    if (this.#text[this.#at] === '"') return this.#quoted()
    const start = this.#at
    while (this.#at < this.#text.length && !this.#isEnd(this.#text[this.#at] ?? '')) this.#at += 1
    return this.#text.slice(start, this.#at).trim()
  }

  #isEnd(character: string): boolean {
    return character === this.#separator || character === '\n' || character === '\r'
  }

  #quoted(): string {
    let value = ''
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1)
      if (end < 0) throw new CsvProblem('A quoted cell has no end.')
      value += this.#text.slice(this.#at + 1, end)
      this.#at = end + 1
      if (this.#text[this.#at] !== '"') break
      value += '"'
    }
    const next = this.#text[this.#at]
    if (next !== undefined && !this.#isEnd(next)) throw new CsvProblem('There is text after a quoted cell.')
    return value
  }
}
