import { IdentityProviderBody, IdentityProviderPatch } from '@chancery/contract/organizations/identity-providers.ts'
import { expect, it } from 'vitest'
import { choicesOf, providerBody } from './provider-body.ts'

const fields = { name: 'Okta', issuer: 'https://acme.okta.com', clientId: 'x', clientSecret: '', emailClaim: 'email' }
const groupId = '00000000-0000-7000-8000-000000000001'

it('makes a body that the contract takes, new or changed', () => {
  const body = providerBody(fields, choicesOf(undefined, ['acme.test']))
  expect(IdentityProviderPatch.safeParse(body).success).toBe(true)
  expect(IdentityProviderBody.safeParse({ kind: 'oidc', ...body }).success).toBe(true)
})

it('leaves out a blank secret and rows that name nothing, and splits lists', () => {
  const groups = [
    { value: 'sales', groupId },
    { value: ' ', groupId },
    { value: 'legal', groupId: '' },
  ]
  const choices = { ...choicesOf(undefined, ['acme.test']), groups }
  const body = providerBody({ ...fields, adminValues: ' admins, ,owners ' }, choices)
  expect(body.oidc).not.toHaveProperty('clientSecret')
  expect(body.mapping).toMatchObject({ adminValues: ['admins', 'owners'], groups: [{ value: 'sales', groupId }] })
})
