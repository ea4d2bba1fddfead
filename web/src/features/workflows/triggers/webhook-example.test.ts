import { describe, expect, it } from 'vitest'
import { exampleOf } from './webhook-example.ts'

const url = 'https://office.example/api/public/hooks/abc'

/** A browser test runs the example in a real shell and checks that the server accepts it. */
describe('the example of a signed request', () => {
  it('signs ID, time and body for Standard Webhooks, the body alone for GitHub', () => {
    const standard = exampleOf({ scheme: 'standard', url, secret: 'whsec_abc' })
    expect(standard).toContain("SECRET='whsec_abc'")
    expect(standard).toContain('"$ID.$TIME.$BODY"')
    expect(exampleOf({ scheme: 'github', url, secret: 'whsec_abc' })).toContain('x-hub-signature-256')
  })

  it('has a placeholder for a secret that is no longer known', () => {
    expect(exampleOf({ scheme: 'standard', url })).toContain("SECRET='whsec_…'")
  })
})
