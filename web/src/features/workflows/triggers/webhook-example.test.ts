import { describe, expect, it } from 'vitest'
import { exampleOf } from './webhook-example.ts'

const url = 'https://office.example/api/public/hooks/abc'

/** That the server accepts what it signs is tried in the browser test, with a real shell. */
describe('the example of a signed request', () => {
  it('signs id, time and body for Standard Webhooks, the body alone for GitHub', () => {
    const standard = exampleOf({ scheme: 'standard', url, secret: 'whsec_abc' })
    expect(standard).toContain("SECRET='whsec_abc'")
    expect(standard).toContain('"$ID.$TIME.$BODY"')
    expect(exampleOf({ scheme: 'github', url, secret: 'whsec_abc' })).toContain('x-hub-signature-256')
  })

  it('leaves a place for a secret that is not known any more', () => {
    expect(exampleOf({ scheme: 'standard', url })).toContain("SECRET='whsec_…'")
  })
})
