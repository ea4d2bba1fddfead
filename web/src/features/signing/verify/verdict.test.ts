import { describe, expect, it } from 'vitest'
import { changeText, verdictOf } from './verdict.ts'

const signature = { valid: true, sealedHere: false, isSelfSigned: false, changes: [] }
const reply = (more: object) => verdictOf({ sealed: true, valid: true, signatures: [signature], ...more } as never)

describe('the check of a PDF', () => {
  it('says whether it is signed, changed, or signed by somebody unknown', () => {
    expect(reply({ sealed: false, valid: false, signatures: [] })).toMatchObject({ tone: 'plain', title: 'Not signed' })
    expect(reply({ valid: false })).toMatchObject({ tone: 'bad', hint: expect.stringContaining('changed after') })
    expect(reply({ valid: false, signatures: [{ ...signature, valid: false }] }).hint).toContain('doesn’t match')
    expect(reply({ signatures: [{ ...signature, isSelfSigned: true }] }).tone).toBe('warn')
    expect(reply({ signatures: [{ ...signature, isSelfSigned: true, sealedHere: true }] }).hint).toContain(
      'this Chancery',
    )
    expect(reply({}).tone).toBe('good')
    const appended = { ...signature, sealedHere: true, changes: [{ kind: 'bytes_appended' }] }
    expect(reply({ signatures: [appended] })).toMatchObject({ tone: 'warn', title: 'Valid, but bytes were appended' })
  })

  it('names what was changed since', () => {
    expect(changeText({ kind: 'pages_added', count: 2 })).toBe('2 pages added')
    expect(changeText({ kind: 'page_changed', page: 3 })).toBe('Page 3 changed')
    expect(changeText({ kind: 'metadata' })).toBe('Title or other properties changed')
  })
})
