/** An organization with a directory that sends its people. */
import type { TestApp } from './app.ts'
import { bearer, type Client, createClient } from './client.ts'
import type { Person } from './people.ts'

export interface TestDirectory {
  boss: Person
  /** Verified. */
  domain: string
  scim: Client
  token: string
}

export const directoryOf = async (app: TestApp): Promise<TestDirectory> => {
  const boss = await app.user({ org: `scim ${app.unknownId()}` })
  const domain = `d${app.unknownId()}.example`
  const owner = await app.platformOwner()
  await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { domains: [domain], limits: { members: 100 } })
  const { token } = (await boss.post('/api/org/scim-tokens', { name: 'Directory' })).body
  return { boss, domain, token, scim: createClient(app.url, bearer(token)) }
}

export const usersPath = '/scim/v2/Users'
export const core = 'urn:ietf:params:scim:schemas:core:2.0'

export const operations = (...all: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: all,
})

export const findBy = (scim: Client, filter: string, rest = '') =>
  scim.get(`${usersPath}?filter=${encodeURIComponent(filter)}${rest}`)

/** As Okta's guide has it. */
export const oktaUser = (domain: string, name = 'test.user') => ({
  schemas: [`${core}:User`],
  userName: `${name}@${domain}`,
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: `${name}@${domain}`, type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
})

/** Answers their id. */
export const addPerson = async ({ scim, domain }: TestDirectory, name: string): Promise<string> => {
  const { status, body, text } = await scim.post(usersPath, oktaUser(domain, name))
  if (status !== 201) throw new Error(`adding ${name} failed: ${text}`)
  return body.id
}
