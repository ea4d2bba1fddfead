import { describe, expect, it } from 'vitest'
import { findProblems } from './problems.ts'

const now = new Date('2026-11-16T00:00:00Z')
const person = (id: string, role: string) => ({ id, name: id, role })
const draft = (recipients: object[], fields: object[] = [], expiresAt: string | null = null) =>
  findProblems({ recipients, fields, expiresAt } as never, now).map(({ text }) => text)

describe('a draft before it is sent', () => {
  it('has every problem named at once', () => {
    expect(draft([])).toEqual(['Add someone who signs or approves.'])
    expect(
      draft(
        [person('Ana', 'SIGNER'), person('Cy', 'CC')],
        [{ recipientId: 'Cy', type: 'TEXT' }],
        '2026-11-15T00:00:00Z',
      ),
    ).toEqual([
      'Ana has no signature field. Place one, or change their role.',
      'Cy only receives a copy, but has fields to fill in.',
      'The expiry date has passed. Choose a later one.',
    ])
  })

  it('has none when every signer has a signature field', () => {
    expect(
      draft([person('Ana', 'SIGNER'), person('Bo', 'APPROVER')], [{ recipientId: 'Ana', type: 'SIGNATURE' }]),
    ).toEqual([])
  })
})
