/** Second factors: nobody but their owner knows of them by id. */
import { codeAt } from '#test/harness/factors.ts'
import { none, onlyPlatform, onlySelf, type Row } from './row.ts'

/** One whose setup has begun: it can be named, confirmed and removed like any other. */
const factor: Row['make'] = async (_app, { victim }) => {
  const { id, secret } = (await victim.post('/api/auth/factors/totp')).body
  return { id, marks: [secret] }
}
const withCode: Row['make'] = async (app, { victim }) => {
  const { id, secret } = (await victim.post('/api/auth/factors/totp')).body
  return { id, marks: [secret], body: { code: codeAt(secret, app) } }
}
/** Of another platform admin: not even a colleague may touch it. */
const foreign: Row['make'] = async (app) => ({ id: app.unknownId(), marks: [] })

const own = { ...onlySelf, platformOwner: 401 }
const unknown = { ...onlyPlatform, ...none, platformOwner: 404 }
const named = { name: 'another name' }

export const factorRows: Record<string, Row> = {
  'PATCH /api/auth/factors/:id': { make: factor, body: named, statuses: { ...own, self: 200 } },
  'DELETE /api/auth/factors/:id': { make: factor, statuses: { ...own, self: 204 } },
  'POST /api/auth/factors/totp/:id/confirm': {
    make: withCode,
    statuses: { ...own, self: 200 },
  },
  'PATCH /api/admin/auth/factors/:id': { make: foreign, body: named, statuses: unknown },
  'DELETE /api/admin/auth/factors/:id': { make: foreign, statuses: unknown },
  'POST /api/admin/auth/factors/totp/:id/confirm': { make: foreign, body: { code: '000000' }, statuses: unknown },
}
