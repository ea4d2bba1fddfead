import { describe, expect, it } from 'vitest'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { createPasswords } from '../passwords/passwords.ts'

const app = await sharedApp()

describe('guesses that come at once', () => {
  it('are counted before they are checked, so that the right one among thirty wrong ones is locked too', async () => {
    const ana = await app.user()
    const attacker = app.newcomer()
    const guess = (given: string) => attacker.post('/api/auth/login', { email: ana.email, password: given })
    const wrong = Array.from({ length: 30 }, (_, number) => guess(`not this one ${number}`))
    const replies = await Promise.all([...wrong, guess(password)])
    expect(replies.map(({ status }) => status)).toEqual(Array(31).fill(401))
    expect((await app.newcomer().post('/api/auth/login', { email: ana.email, password })).status).toBe(200)
  })

  it('are not held against the owner: a sign-in takes its own count back', async () => {
    const ana = await app.user()
    const home = app.newcomer()
    for (let time = 0; time < 12; time += 1)
      expect((await home.post('/api/auth/login', { email: ana.email, password })).status).toBe(200)
  })

  it('get a share of the hash queue, and everybody else is still served', async () => {
    const passwords = createPasswords({ cost: 4 })
    const hash = await passwords.hash('another fine passphrase')
    const flood = Array.from({ length: 200 }, () => passwords.verify(hash, 'wrong', '10.0.0.1'))
    const other = passwords.verify(hash, 'another fine passphrase', '10.0.0.2')
    const outcomes = await Promise.allSettled(flood)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(32)
    expect(await other).toBe(true)
    expect(await passwords.verify(hash, 'another fine passphrase', '10.0.0.1')).toBe(true)
  })
})

describe('a failed sign-in', () => {
  it('is in the audit log, for people, for unknown addresses without the address, and for admins', async () => {
    const owner = await app.platformOwner()
    const ana = await app.user()
    await app.newcomer().post('/api/auth/login', { email: ana.email, password: 'wrong' })
    await app.newcomer().post('/api/auth/login', { email: 'my secret password', password: 'wrong' })
    await app.newcomer().post('/api/admin/auth/login', { email: owner.email, password: 'wrong' })
    const list = async (search: string) => (await owner.get(`/api/admin/audit?search=${search}`)).body.items
    const failed = await list('account.sign_in_failed')
    expect(failed).toContainEqual(expect.objectContaining({ target: { kind: 'user', id: ana.id, name: ana.name } }))
    expect(failed).toContainEqual(expect.objectContaining({ target: null, detail: { locked: false } }))
    expect(JSON.stringify(failed)).not.toContain('secret password')
    const target = expect.objectContaining({ kind: 'admin', id: owner.id })
    expect(await list('platform.sign_in_failed')).toContainEqual(expect.objectContaining({ target }))
  })
})
