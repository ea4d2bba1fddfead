/** Tables as files for spreadsheets (RFC 4180). */
import type { RawReply } from './http/replies/raw-reply.ts'

type Cell = string | number | null

/** A spreadsheet would run a name that starts like a formula; the apostrophe makes it text. */
const cell = (value: Cell): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Row<Name extends string> = Readonly<Record<Name, Cell>>

const lineOf = <Name extends string>(header: readonly Name[], row: Row<Name>): string =>
  `${header.map((name) => cell(row[name])).join(',')}\r\n`

export const toCsv = <Name extends string>(header: readonly Name[], rows: readonly Row<Name>[]): string =>
  [`${header.join(',')}\r\n`, ...rows.map((row) => lineOf(header, row))].join('')

const headersOf = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
})

export const csvFile = (name: string, body: string): RawReply => ({ headers: headersOf(name), body })

interface Portions<Item, Name extends string> {
  header: readonly Name[]
  portions: AsyncGenerator<readonly Item[], void>
  rowOf(item: Item): Row<Name>
}

/** A list of any length, read in portions while it is sent. The first one is read before the head is sent. */
export const csvOfPortions = async <Item, Name extends string>(
  name: string,
  { header, portions, rowOf }: Portions<Item, Name>,
): Promise<RawReply> => {
  const first = await portions.next()
  return {
    headers: headersOf(name),
    body: async (outlet) => {
      outlet.write(`${header.join(',')}\r\n`)
      for (let next = first; !next.done && outlet.isOpen; next = await portions.next()) {
        outlet.write(next.value.map((item) => lineOf(header, rowOf(item))).join(''))
        await outlet.drained()
      }
    },
  }
}
