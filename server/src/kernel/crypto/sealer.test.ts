import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passingSeal } from './seal-context.ts'
import { createSealer, SealError } from './sealer.ts'

const first = 'a first secret that is long enough'
const second = 'a second secret that is long enough'
const sealer = createSealer({ current: first, previous: [] })
const problem = (expected: string) => expect.objectContaining({ name: 'SealError', problem: expected })

describe('sealing a secret', () => {
  it('opens what it sealed, for any text and context', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (plain, context) => {
        expect(sealer.open(sealer.seal(plain, passingSeal(context)), passingSeal(context))).toBe(plain)
      }),
    )
  })

  it('makes another text each time, and none of them shows the value', () => {
    const sealed = new Set(Array.from({ length: 20 }, () => sealer.seal('hunter2', passingSeal('x'))))
    expect(sealed.size).toBe(20)
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/)
      expect(Buffer.from(text.split('.')[3] ?? '', 'base64url').includes('hunter2')).toBe(false)
    }
  })

  it('does not open in another context', () => {
    expect(() => sealer.open(sealer.seal('value', passingSeal('row:1')), passingSeal('row:2'))).toThrowError(
      problem('damaged'),
    )
  })

  it('notices any single changed character', () => {
    const sealed = sealer.seal('value', passingSeal('row:1'))
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ '
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...alphabet), (index, character) => {
        fc.pre(sealed[index] !== character)
        const touched = sealed.slice(0, index) + character + sealed.slice(index + 1)
        expect(() => sealer.open(touched, passingSeal('row:1'))).toThrowError(SealError)
      }),
    )
  })

  it.each(['', 'v1', 'v1...', 'v2.a.b.c', 'plain text', 'v1.AAAAAAAA.AAAAAAAAAAAAAAAA.AAAA', 'v1.a.b.c.d'])(
    'refuses %j as damaged',
    (text) => expect(() => sealer.open(text, passingSeal('x'))).toThrowError(problem('damaged')),
  )

  it('refuses a cut or lengthened value', () => {
    const sealed = sealer.seal('value', passingSeal('x'))
    expect(() => sealer.open(sealed.slice(0, -4), passingSeal('x'))).toThrowError(problem('damaged'))
    expect(() => sealer.open(`${sealed}AAAA`, passingSeal('x'))).toThrowError(problem('damaged'))
  })

  it('opens values of a previous secret and says that they should be sealed again', () => {
    const sealed = sealer.seal('value', passingSeal('x'))
    const rotated = createSealer({ current: second, previous: ['some other secret', first] })

    expect(rotated.open(sealed, passingSeal('x'))).toBe('value')
    expect(rotated.needsReseal(sealed)).toBe(true)
    expect(rotated.needsReseal(rotated.seal('value', passingSeal('x')))).toBe(false)
  })

  it('says so when the key is not configured any more', () => {
    const stranger = createSealer({ current: second, previous: [] })
    expect(() => stranger.open(sealer.seal('value', passingSeal('x')), passingSeal('x'))).toThrowError(
      problem('unknown_key'),
    )
  })

  it('refuses to start with an empty secret', () => {
    expect(() => createSealer({ current: '', previous: [] })).toThrowError()
    expect(() => createSealer({ current: first, previous: [''] })).toThrowError()
  })
})
