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

  it('says that an address was corrected, and that somebody wants no emails', () => {
    const owner = { type: 'user', name: 'Olga', email: 'olga@example.test' }
    const detail = { email: 'ana@new.test', previousEmail: 'ana@old.test' }
    expect(entryText({ type: 'link_resent', actor: owner, detail })).toBe(
      'Olga corrected the email from ana@old.test to ana@new.test; earlier links ended',
    )
    expect(entryText({ type: 'not_me', actor: ana, detail: {} })).toBe(
      'Ana Ruiz says that this isn’t for them; their links ended',
    )
    expect(entryText({ type: 'not_me', actor: ana, detail: { endsLinks: false } })).toBe(
      'Ana Ruiz says that this isn’t for them',
    )
    const system = { type: 'system', name: null, email: null }
    const notified = { name: 'Ana Ruiz', emailed: false, refusesMail: true }
    expect(entryText({ type: 'notified', actor: system, detail: notified })).toBe(
      'Link not emailed (they want no emails) to Ana Ruiz',
    )
  })

  it('says that a link was handed over, not emailed', () => {
    const system = { type: 'system', name: null, email: null }
    expect(entryText({ type: 'notified', actor: system, detail: { name: 'Ana Ruiz', emailed: false } })).toBe(
      'Link not emailed (no mail server) to Ana Ruiz',
    )
    const detail = { name: 'Ana Ruiz', email: ana.email }
    const owner = { type: 'user', name: 'Olga', email: 'olga@example.test' }
    expect(entryText({ type: 'link_resent', actor: owner, detail: { email: 'ana@new.test', emailed: false } })).toBe(
      'Olga made a new link for ana@new.test, not emailed (no mail server)',
    )
    expect(entryText({ type: 'link_copied', actor: owner, detail })).toBe(
      'Olga copied the link for Ana Ruiz to hand it over',
    )
    expect(entryText({ type: 'opened', actor: ana, detail: { via: 'copied_link' } })).toBe(
      'Ana Ruiz opened the document with a link that wasn’t emailed',
    )
    expect(entryText({ type: 'opened', actor: ana, detail: { via: 'link' } })).toBe('Ana Ruiz opened the document')
  })

  it('is shown by its name where this version doesn’t know it', () => {
    const system = { type: 'system', name: null, email: null }
    expect(entryText({ type: 'clock_checked', actor: system, detail: {} })).toBe('clock checked')
  })
})
