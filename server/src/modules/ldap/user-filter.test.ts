import fc from 'fast-check'
import { BerReader, BerWriter, EqualityFilter, FilterParser } from 'ldapts'
import { describe, expect, it } from 'vitest'
import { anyText } from '#test/harness/any-text.ts'
import { compileUserFilter } from './user-filter.ts'

describe('the filter for a person', () => {
  it('takes the login as a value, whatever it holds', () => {
    const filterFor = compileUserFilter('(mail={login})')
    fc.assert(
      fc.property(anyText({ maxLength: 60 }), (login) => {
        const filter = filterFor(login)
        expect(filter).toBeInstanceOf(EqualityFilter)
        expect(filter).toMatchObject({ attribute: 'mail', value: login })
      }),
    )
  })

  it('has the same structure on the wire for every login', () => {
    const filterFor = compileUserFilter('(&(objectClass=person)(|(mail={login})(uid={login})))')
    const nasty = fc.string({ unit: fc.constantFrom(...'*()\\\0&|!=', 'a', '{login}', '$&'), maxLength: 30 })
    fc.assert(
      fc.property(nasty, (login) => {
        const writer = new BerWriter()
        filterFor(login).write(writer)
        const read = FilterParser.parse(new BerReader(writer.buffer))
        expect(read).toMatchObject({
          filters: [
            { attribute: 'objectclass', value: 'person' },
            {
              filters: [
                { attribute: 'mail', value: login },
                { attribute: 'uid', value: login },
              ],
            },
          ],
        })
      }),
    )
  })

  it('keeps a wildcard that the administrator wrote, and makes none from the login', () => {
    expect(compileUserFilter('(mail={login}@*)')('a*b')).toMatchObject({ initial: 'a*b@', any: [], final: '' })
    expect(String(compileUserFilter('(!(mail={login}))')('*'))).toBe('(!(mail=\\2a))')
  })

  it.each([
    '',
    '(mail={login}',
    '(mail={login}))',
    '(objectClass=*)',
    '({login}=x)',
    '(&)',
    '(mail=\\zz{login})',
    '{login}',
  ])('refuses the template %j', (template) => expect(() => compileUserFilter(template)).toThrow())
})
