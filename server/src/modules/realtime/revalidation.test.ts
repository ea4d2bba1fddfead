/** How open sockets are checked again: by one statement, which says what a login would say. */
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { HeldCredential } from '#modules/accounts/index.ts'
import { testApp } from '#test/harness/app.ts'
import { createNode } from '#test/harness/node.ts'
import type { Person } from '#test/harness/people.ts'
import { createSockets } from '#test/harness/sockets.ts'

const app = await testApp({ timings: { socketCheckMs: 50 } })
const { connectAs } = createSockets(app.url)
const node = await createNode(app)
const { findEnded } = node.accounts

const hold = async (token: string): Promise<HeldCredential> => {
  const actor = await node.accounts.authenticate(token)
  if (!actor) throw new Error('nobody has this token')
  return { token, actor }
}
const keyOf = async (person: Person, body: object = {}): Promise<{ id: string; key: string }> =>
  (await person.post('/api/v1/api-keys', { name: 'a key', ...body })).body
const member = () => app.user({ org: `Org ${app.unknownId()}` })
const setUser = (id: string, change: Record<string, unknown>) =>
  app.db.updateTable('users').set(change).where('id', '=', id).execute()
const now = () => app.clock.now()

describe('credentials of open sockets', () => {
  it('are all checked by one statement', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => app.user()))
    const held = await Promise.all(people.map(({ token }) => hold(token)))
    const statements = vi.spyOn(node.kernel.db, 'executeQuery')
    expect(await findEnded(held)).toEqual([])
    expect(statements).toHaveBeenCalledOnce()
    statements.mockRestore()
  })

  it.each<[string, (person: Person) => unknown]>([
    ['signs out', (person) => person.post('/api/auth/logout')],
    ['is deactivated', ({ id }) => setUser(id, { deactivatedAt: now() })],
    ['is banned', ({ id }) => setUser(id, { bannedAt: now() })],
    ['is demoted', ({ id }) => setUser(id, { role: 'ROLE_USER' })],
    ['leaves the organization', ({ id }) => setUser(id, { organizationId: null })],
    ['is deleted', ({ id }) => app.db.deleteFrom('sessions').where('principalId', '=', id).execute()],
    [
      'belongs to an organization that is closed',
      ({ organizationId }) =>
        app.db.updateTable('organizations').set({ active: false }).where('id', '=', organizationId).execute(),
    ],
    [
      'has a session that expired',
      ({ id }) => app.db.updateTable('sessions').set({ expiresAt: now() }).where('principalId', '=', id).execute(),
    ],
  ])('end when its owner %s, and nobody else’s', async (_what, change) => {
    const [ana, ben] = await Promise.all([member(), member()])
    const [hers, his] = [await hold(ana.token), await hold(ben.token)]
    await change(ana)
    expect(await findEnded([his, hers])).toEqual([hers])
  })

  it('of a key end when it is revoked, renewed or over', async () => {
    const ana = await member()
    const keys = await Promise.all([1, 2, 3, 4].map(() => keyOf(ana)))
    const held = await Promise.all(keys.map(({ key }) => hold(key)))
    const [revoked, renewed, over] = keys
    await ana.delete(`/api/v1/api-keys/${revoked?.id}`)
    const setKey = (id: string | undefined, change: Record<string, unknown>) =>
      app.db
        .updateTable('apiKeys')
        .set(change)
        .where('id', '=', id ?? '')
        .execute()
    await setKey(renewed?.id, { keyHash: hashToken('another') })
    await setKey(over?.id, { expiresAt: now() })
    expect(await findEnded(held)).toEqual(held.slice(0, 3))
  })

  it('are looked up one by one, however many sessions and people there are', async () => {
    await sql`insert into users (id, name, email, role, created_at)
      select gen_random_uuid(), 'X', gen_random_uuid() || '@x.test', 'ROLE_USER', now() from generate_series(1, 5000) n`.execute(
      app.db,
    )
    await sql`insert into sessions (id, principal_kind, principal_id, created_at, last_used_at)
      select gen_random_uuid(), 'user', id, now(), now() from users`.execute(app.db)
    await sql`analyze users, sessions`.execute(app.db)
    const held = await hold((await app.user()).token)
    const statements = vi.spyOn(node.kernel.db, 'executeQuery')
    await findEnded(Array.from({ length: 500 }, () => held))
    const [asked] = statements.mock.calls[0] ?? []
    statements.mockRestore()
    if (!asked || !('sql' in asked)) throw new Error('nothing was asked')
    const { rows } = await node.kernel.db.executeQuery<Record<string, string>>({
      ...asked,
      sql: `explain ${asked.sql}`,
    })
    const lines = rows.map((row) => row['QUERY PLAN']).join('\n')
    for (const index of ['sessions_pkey', 'api_keys_hash', 'users_pkey']) expect(lines).toContain(index)
    expect(lines).not.toContain('Seq Scan on users')
    expect(lines).not.toContain('Seq Scan on sessions')
  })
})

describe('sockets of a platform admin', () => {
  it('stay open until the account is switched off', async () => {
    const owner = await app.platformOwner()
    const [hers, other] = await Promise.all([connectAs(owner), connectAs(await app.user())])
    const ended = new Promise((resolve) => hers.once('disconnect', resolve))
    await vi.waitFor(() => expect(other.connected).toBe(true))
    expect(await hers.emitWithAck('user-join')).toMatchObject({ id: owner.id })
    await app.db.updateTable('adminAccounts').set({ active: false }).where('id', '=', owner.id).execute()
    expect(await ended).toBe('io server disconnect')
    expect(other.connected).toBe(true)
  })
})
