/** Tables as files for spreadsheets (RFC 4180). */
import type { RawReply } from './http/raw-reply.ts'

type Cell = string | number | null

/** A spreadsheet would run a name that starts like a formula; the apostrophe makes it text. */
const cell = (value: Cell): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const toCsv = <Name extends string>(
  header: readonly Name[],
  rows: readonly Readonly<Record<Name, Cell>>[],
): string =>
  `${[header.join(','), ...rows.map((row) => header.map((name) => cell(row[name])).join(','))].join('\r\n')}\r\n`

export const csvFile = (name: string, body: string): RawReply => ({
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  },
  body,
})
