/** Tables as files for spreadsheets (RFC 4180). */
import type { Page } from './db/paging.ts'
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

interface Pages<Item, Name extends string> {
  header: readonly Name[]
  readPage(page: Page): Promise<{ items: readonly Item[] }>
  keyOf(item: Item): string
  rowOf(item: Item): Row<Name>
}

const perPage = 1000

/**
 * A list of any length, read page by page while it is sent. What is added at its front meanwhile moves rows to the next
 * page, where they are left out. The first page is read before the head is sent.
 */
export const csvOfPages = async <Item, Name extends string>(
  name: string,
  { header, readPage, keyOf, rowOf }: Pages<Item, Name>,
): Promise<RawReply> => {
  let items = (await readPage({ page: 1, limit: perPage })).items
  return {
    headers: headersOf(name),
    body: async (outlet) => {
      outlet.write(`${header.join(',')}\r\n`)
      let sent: ReadonlySet<string> = new Set()
      for (let page = 1; ; page += 1) {
        const fresh = items.filter((item) => !sent.has(keyOf(item)))
        outlet.write(fresh.map((item) => lineOf(header, rowOf(item))).join(''))
        await outlet.drained()
        if (items.length < perPage || !outlet.isOpen) return
        sent = new Set(items.map(keyOf))
        items = (await readPage({ page: page + 1, limit: perPage })).items
      }
    },
  }
}
