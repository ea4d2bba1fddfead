/** Pure. The first row of a table for sending a template to many, and an example below it. */

import { type FieldType, isMark } from '@chancery/contract/signing/signing.ts'

interface Template {
  recipients: readonly { name: string }[]
  fields: readonly { label: string | null; type: FieldType }[]
}

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function headerOf({ recipients, fields }: Template): string {
  const labels = [...new Set(fields.flatMap(({ label, type }) => (isMark(type) ? [] : (label ?? []))))]
  const people = recipients.flatMap(({ name }) => [`${name} name`, `${name} email`])
  const columns = ['title', ...people, ...labels]
  const example = ['', ...recipients.flatMap((_, index) => [`Person ${index + 1}`, `person${index + 1}@example.com`])]
  const row = columns.map((_, index) => example[index] ?? '')
  return `${columns.map(cell).join(',')}\r\n${row.map(cell).join(',')}\r\n`
}
