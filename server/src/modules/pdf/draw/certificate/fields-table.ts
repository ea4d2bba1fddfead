/** A recipient's fields, one by one: the value that was sent to them and the value that they signed. */
import type { EvidenceField, EvidenceRecipient, EvidenceValue } from '@chancery/contract/signing/evidence.ts'
import { dayText } from '../local-dates.ts'
import type { CertificateDesk } from './desk.ts'
import { count, plainTime } from './format.ts'

export const writeFields = (desk: CertificateDesk, { fields }: EvidenceRecipient): void => {
  const { sheet, texts } = desk
  const words = texts.fields
  sheet.gap(4)
  const columns = [
    { title: words.field, width: 118 },
    { title: words.page, width: 72 },
    { title: words.before, width: 96 },
    { title: words.after, width: 119 },
    { title: words.changed, width: 90 },
  ]
  const rows = fields.map((field) => [
    { text: field.label ?? words.names[field.type], note: field.label === null ? null : words.names[field.type] },
    { text: String(field.page), note: fileName(desk, field), mostLines: 2 },
    { text: 'before' in field ? valueText(desk, field, field.before ?? null) : words.unknown },
    { text: valueText(desk, field, field.after) },
    { text: field.at === null ? '–' : plainTime(field.at), note: authorText(desk, field) },
  ])
  sheet.table(columns, rows)
}

/** Where there are several. */
const fileName = ({ facts }: CertificateDesk, { fileId }: EvidenceField): string | null =>
  facts.files.length > 1 ? (facts.files.find(({ id }) => id === fileId)?.name ?? null) : null

const authorText = ({ texts }: CertificateDesk, { filledBy }: EvidenceField): string | null => {
  if (filledBy === 'SENDER') return texts.fields.bySender
  return filledBy === 'SERVICE' ? texts.fields.byService : null
}

const valueText = (desk: CertificateDesk, { type }: EvidenceField, value: EvidenceValue | null): string => {
  const { facts, texts } = desk
  const words = texts.fields
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? words.checked : words.unchecked
  if (typeof value === 'string') return type === 'DATE' ? dayOf(desk, value) : value
  if ('mark' in value) return words[value.mark]
  return `${value.begins}… (${words.characters(count(facts.language, value.characters))})`
}

const dayOf = ({ facts }: CertificateDesk, day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? dayText(facts.language, day) : day
