/** An organization's identity providers: for its administrators; the addresses of a login itself are open to browsers. */
import { everybody, onlyBoss, type Row } from './row.ts'

/** A disabled one, so that nobody is led there. */
const provider: Row['make'] = async (app, { boss }) => {
  const domain = `p${app.unknownId()}.example`
  const organization = (await boss.get('/api/org/me')).body.id
  await (await app.platformOwner()).patch(`/api/admin/organizations/${organization}`, { domains: [domain] })
  const oidc = { issuer: 'https://nowhere.invalid', clientId: 'a client to hide', clientSecret: 'a secret to hide' }
  const name = `provider ${app.unknownId()}`
  const body = { kind: 'oidc', name, enabled: false, domains: [domain], oidc }
  const { id } = (await boss.post('/api/org/identity-providers', body)).body
  return { id, marks: [name, 'a client to hide', 'a secret to hide'] }
}

const path = '/api/org/identity-providers/:id'
const redirected = Object.fromEntries(Object.keys(everybody).map((role) => [role, 302])) as Row['statuses']

export const providerRows: Record<string, Row> = {
  [`GET ${path}`]: { make: provider, statuses: onlyBoss },
  [`PATCH ${path}`]: { make: provider, body: { name: 'Renamed' }, statuses: onlyBoss },
  [`DELETE ${path}`]: { make: provider, statuses: { ...onlyBoss, boss: 204 } },
  [`POST ${path}/test`]: { make: provider, statuses: onlyBoss },
  'GET /sso/oidc/:id/start': { make: provider, statuses: redirected },
  'GET /sso/oidc/:id/callback': { make: provider, statuses: redirected },
}
