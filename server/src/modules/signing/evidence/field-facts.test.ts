import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import { describe, expect, it } from 'vitest'
import type { FieldRow } from '../queries/fields.ts'
import { fieldFacts, readFieldLog } from './field-facts.ts'

const time = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`

const entryOf = (minute: number, type: string, detail: Record<string, unknown>): AuditEntry => ({
  seq: minute,
  type,
  at: time(minute),
  actor: { type: 'recipient', name: null, email: null },
  ip: null,
  userAgent: null,
  detail,
  prevHash: '',
  hash: '',
})

const fieldOf = (id: string, more: Partial<FieldRow>): FieldRow => ({
  id,
  documentId: 'd',
  fileId: 'f',
  recipientId: 'r',
  type: 'TEXT',
  page: 1,
  x: 0,
  y: 0,
  width: 1,
  height: 1,
  required: true,
  readOnly: false,
  label: null,
  rules: {},
  value: null,
  filledBy: null,
  position: 0,
  ...more,
})

const factsOf = (fields: readonly FieldRow[], audit: readonly AuditEntry[]) =>
  fieldFacts(fields, {
    document: { sentAt: new Date(time(1)) },
    recipient: { signedAt: new Date(time(9)) },
    log: readFieldLog(audit),
  })

describe('what became of a field', () => {
  it('is read from a log from before values were logged, as far as it says', () => {
    const audit = [
      entryOf(1, 'sent', { prefilled: [{ fieldId: 'left' }, { fieldId: 'changed' }] }),
      entryOf(3, 'fields_filled', { fieldIds: ['changed', 'own'] }),
      entryOf(4, 'fields_filled', { fieldIds: ['own'] }),
    ]
    const facts = factsOf(
      [
        fieldOf('left', { value: 'A', filledBy: 'SENDER' }),
        fieldOf('changed', { value: 'B', filledBy: 'SIGNER' }),
        fieldOf('own', { value: 'C', filledBy: 'SIGNER' }),
        fieldOf('day', { value: '2026-03-01', filledBy: 'SERVICE' }),
      ],
      audit,
    )
    expect(facts).toMatchObject([
      { before: 'A', after: 'A', at: time(1), changes: 0 },
      { after: 'B', at: time(3), changes: 1 },
      { before: null, after: 'C', at: time(4), changes: 2 },
      { before: null, after: '2026-03-01', at: time(9) },
    ])
    expect(facts[1]).not.toHaveProperty('before')
  })

  it('is the value that the log has with the signature', () => {
    const signed = { mark: 'drawn', sha256: 'ab' }
    const audit = [entryOf(9, 'signed', { values: [{ fieldId: 'one', value: signed }] })]
    const png = Buffer.from('another').toString('base64')
    expect(factsOf([fieldOf('one', { value: { png }, filledBy: 'SIGNER' })], audit)).toMatchObject([{ after: signed }])
  })
})
