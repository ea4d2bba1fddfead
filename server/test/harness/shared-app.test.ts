import { describe, expect, it } from 'vitest'
import { sharedApp } from './shared-app.ts'

const app = await sharedApp()

describe('the shared app', () => {
  it('is the same for all files of a worker, but their organizations are not', async () => {
    const other = await sharedApp()
    expect(other.url).toBe(app.url)
    const [ana, bob] = [await app.user({ org: 'acme' }), await other.user({ org: 'acme' })]
    expect(bob.organizationId).not.toBe(ana.organizationId)
    expect((await other.platformOwner()).id).toBe((await app.platformOwner()).id)
  })

  it('refuses what would disturb other files', async () => {
    const owner = await app.platformOwner()
    const disturbing = {
      'a change of its clock': () => app.clock.forward({ minutes: 1 }),
      'to stop': () => app.stop(),
      'the ports of its modules': () => app.ports,
      'its mail server': () => app.smtp,
      'another node on its database': () => app.databaseUrl,
      'its log': () => app.logLines,
      'POST /api/v1/configs by the platform admin': () => owner.post('/api/v1/configs', {}),
      'DELETE /api/v1/connections/1 by the platform admin': () => owner.delete('/api/v1/connections/1'),
    }
    for (const [what, disturb] of Object.entries(disturbing)) expect(disturb).toThrow(`The shared app refuses ${what},`)
  })

  it('lets the platform admin read everything and change a person or an organization', async () => {
    const [owner, ana] = [await app.platformOwner(), await app.user({ org: 'acme' })]
    expect(await owner.get(`/api/admin/users/${ana.id}`)).toMatchObject({ status: 200 })
    const reply = await owner.patch(`/api/admin/organizations/${ana.organizationId}`, { plan: 'large' })
    expect(reply).toMatchObject({ status: 200 })
  })
})
