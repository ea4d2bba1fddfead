import { describe, expect, it } from 'vitest'
import { answersOf, changeText, verdictOf } from './verdict.ts'

const signature = { valid: true, reason: null, sealedHere: false, trusted: false, trustedBy: null, changes: [] }
const intact = { sealed: true, valid: true, intact: true, trusted: false, sealedHere: false, signer: 'CN=Ana' }
const replyWith = (more: object, one: object = {}) =>
  ({ ...intact, laterSignatures: [], signatures: [{ ...signature, ...one }], ...more }) as never
const ours = replyWith(
  { sealedHere: true, trusted: true },
  { sealedHere: true, trusted: true, trustedBy: 'this_service' },
)
const theirs = replyWith({ sealedHere: true }, { sealedHere: true })

describe('the check of a PDF', () => {
  it('shows a green result only for a signer who is known', () => {
    expect(verdictOf(ours)).toMatchObject({
      tone: 'good',
      title: 'Valid',
      hint: 'Sealed by this Chancery, and unchanged since.',
    })
    const known = replyWith({ trusted: true }, { trusted: true, trustedBy: 'authority' })
    expect(verdictOf(known)).toMatchObject({ tone: 'good', hint: expect.stringContaining('authority confirms') })
    expect(verdictOf(replyWith({}))).toMatchObject({ tone: 'warn', title: 'Unchanged, signer not confirmed' })
  })

  it('never says of an organization’s certificate that this Chancery sealed with it', () => {
    expect(verdictOf(theirs).tone).toBe('warn')
    expect(JSON.stringify([verdictOf(theirs), answersOf(theirs)])).not.toContain('this Chancery')
    expect(verdictOf(theirs).hint).toContain('organization’s own certificate')
  })

  it('says why a file is not valid', () => {
    const invalid = (reason: string, more: object = {}) =>
      verdictOf(replyWith({ valid: false, intact: false, ...more }, { valid: false, reason }))
    expect(verdictOf(replyWith({ sealed: false, valid: false, signatures: [] })).title).toBe('Not signed')
    expect(invalid('mismatch')).toMatchObject({ tone: 'bad', hint: expect.stringContaining('doesn’t match') })
    expect(invalid('changed')).toMatchObject({
      tone: 'bad',
      title: 'Not valid',
      hint: expect.stringContaining('changed after'),
    })
    expect(invalid('changed', { laterSignatures: [{ signer: 'CN=Bob' }] }).hint).toContain('signed again later')
    expect(invalid('unreadable').title).toBe('Can’t be checked')
    expect(invalid('certificate')).toMatchObject({ tone: 'warn', title: expect.stringContaining('certificate') })
  })

  it('answers the three questions apart', () => {
    expect(answersOf(ours).map(({ tone }) => tone)).toEqual(['good', 'good', 'good'])
    expect(answersOf(replyWith({}))).toEqual([
      { question: 'Unchanged', answer: 'Yes, as it was signed', tone: 'good' },
      { question: 'Sealed here', answer: 'No', tone: 'plain' },
      { question: 'Signer', answer: 'Not confirmed', detail: 'CN=Ana', tone: 'warn' },
    ])
  })

  it('shows nothing green of a file that was changed', () => {
    const changed = replyWith({ valid: false, intact: false, sealedHere: true, trusted: true })
    expect(answersOf(changed).map(({ tone }) => tone)).toEqual(['bad', 'plain', 'plain'])
  })

  it('names what was changed since', () => {
    expect(changeText({ kind: 'pages_added', count: 2 })).toBe('2 pages added')
    expect(changeText({ kind: 'page_changed', page: 3 })).toBe('Page 3 changed')
    expect(changeText({ kind: 'metadata' })).toBe('Title or other properties changed')
  })
})
