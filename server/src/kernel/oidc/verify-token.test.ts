import { describe, expect, it } from 'vitest'
import { assertClaims } from './verify-token.ts'

const now = new Date('2026-01-01T12:00:00Z')
const seconds = now.getTime() / 1000
const expected = {
  clientId: 'ours',
  nonce: 'n-1',
  allowedParties: ['ours', 'mobile'],
  issuer: 'https://idp.test/realms/a',
  now,
}
const claims = { iss: 'https://idp.test/realms/a', sub: 's', aud: 'ours', azp: 'ours', nonce: 'n-1', iat: seconds }

describe('claims of an ID token', () => {
  it.each([
    ['as they should be', {}],
    ['without azp, for us alone', { azp: undefined }],
    ['as a list of one', { aud: ['ours'] }],
    ['for us and an allowed party', { aud: ['ours', 'mobile'] }],
    ['issued to an allowed party', { azp: 'mobile' }],
    ['a minute ahead of our clock', { iat: seconds + 60 }],
  ])('pass %s', (_name, change) => expect(() => assertClaims({ ...claims, ...change }, expected)).not.toThrow())

  it.each([
    ['iss with a slash', { iss: 'https://idp.test/realms/a/' }],
    ['iss in another case', { iss: 'https://IDP.test/realms/a' }],
    ['no iss', { iss: undefined }],
    ['an empty sub', { sub: '' }],
    ['an endless sub', { sub: 'x'.repeat(256) }],
    ['another nonce', { nonce: 'n-2' }],
    ['no nonce', { nonce: undefined }],
    ['another azp', { azp: 'theirs' }],
    ['an empty azp', { azp: '' }],
    ['a list as azp', { azp: ['ours'] }],
    ['no aud', { aud: undefined }],
    ['a foreign audience beside ours', { aud: ['ours', 'theirs'] }],
    ['two audiences without azp', { aud: ['ours', 'mobile'], azp: undefined }],
    ['an allowed party alone as audience', { aud: 'mobile' }],
    ['no iat', { iat: undefined }],
    ['iat too far ahead', { iat: seconds + 61 }],
    ['the type of an access token', { typ: 'Bearer' }],
  ])('are refused with %s', (_name, change) =>
    expect(() => assertClaims({ ...claims, ...change } as never, expected)).toThrow(
      expect.objectContaining({ name: 'OidcError', reason: 'refused' }),
    ),
  )
})
