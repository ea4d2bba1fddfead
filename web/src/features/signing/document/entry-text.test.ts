import { describe, expect, it } from 'vitest'
import { entryText } from './entry-text.ts'

const ana = { type: 'recipient', name: 'Ana Ruiz', email: 'ana@example.test' }

describe('an audit entry', () => {
  it('says who did what, with the reason where one was given', () => {
    expect(entryText({ type: 'signed', actor: ana, detail: {} })).toBe('Ana Ruiz signed')
    expect(entryText({ type: 'declined', actor: ana, detail: { reason: 'Too late' } })).toBe(
      'Ana Ruiz declined: “Too late”',
    )
    expect(entryText({ type: 'delegated', actor: ana, detail: { to: { name: 'Ben' } } })).toBe(
      'Ana Ruiz passed the document on to Ben',
    )
  })

  it('is shown by its name where this version doesn’t know it', () => {
    const system = { type: 'system', name: null, email: null }
    expect(entryText({ type: 'clock_checked', actor: system, detail: {} })).toBe('clock checked')
  })
})
