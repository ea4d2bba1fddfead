/** Pure. A report as a file for spreadsheets (RFC 4180). */
import type { UsageReport, UsageRow } from '@chancery/contract/usage.ts'

const header = ['group', 'label', 'requests', 'failures', 'prompt_tokens', 'completion_tokens'] as const

/** A spreadsheet would run a name that starts like a formula; the apostrophe makes it text. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (row: UsageRow): string => header.map((name) => cell(row[name])).join(',')

export const toCsv = ({ rows }: UsageReport): string => `${[header.join(','), ...rows.map(line)].join('\r\n')}\r\n`
