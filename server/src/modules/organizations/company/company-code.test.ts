import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '#test/harness/any-text.ts'
import { companyCode } from './company-code.ts'

describe("a company's code", () => {
  it.each([
    ['Müller & Söhne GmbH', 'muller-sohne-gmbh'],
    ['  Acme,  "R&D" <Labs>  ', 'acme-r-d-labs'],
    ['株式会社 例', '株式会社-例'],
    ['Ελληνικά', 'ελληνικα'],
    ['ＦＵＬＬ　ＷＩＤＴＨ', 'full-width'],
    ['!!!', 'company'],
    ['🦊', 'company'],
    ['ou=x,dc=evil', 'ou-x-dc-evil'],
    ['../../etc/passwd', 'etc-passwd'],
  ])('of %s is %s', (name, code) => expect(companyCode(name)).toBe(code))

  it('is short, never empty, and holds letters, digits and single hyphens only', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (name) => {
        const code = companyCode(name)
        expect(code).toMatch(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u)
        expect([...code].length).toBeLessThanOrEqual(40)
        expect(companyCode(code)).toBe(code)
      }),
    )
  })
})
