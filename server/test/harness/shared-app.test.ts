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
      'to stop': () => app.stop(),
      'to register something with its event bus': () => app.ports.eventBus.registerListener(async () => {}),
      'its mail server': () => app.smtp,
      'its log': () => app.logLines,
      'POST /api/v1/configs by the platform admin': () => owner.post('/api/v1/configs', {}),
      'DELETE /api/v1/connections/1 by the platform admin': () => owner.delete('/api/v1/connections/1'),
    }
    for (const [what, disturb] of Object.entries(disturbing)) expect(disturb).toThrow(`The shared app refuses ${what},`)
  })

  it('asks a site that answers as the last file said, and has forgotten the requests of the others', async () => {
    const { site } = await sharedApp((_request, response) => response.end('mine'))
    expect(await (await fetch(site.origin)).text()).toBe('mine')
    expect(app.site.requests).toHaveLength(1)
    await sharedApp()
    expect(site.requests).toEqual([])
    expect(await (await fetch(site.origin)).text()).toBe('ok')
  })

  it('lets the platform admin read everything and change a person or an organization', async () => {
    const [owner, ana] = [await app.platformOwner(), await app.user({ org: 'acme' })]
    expect(await owner.get(`/api/admin/users/${ana.id}`)).toMatchObject({ status: 200 })
    const reply = await owner.patch(`/api/admin/organizations/${ana.organizationId}`, { plan: 'large' })
    expect(reply).toMatchObject({ status: 200 })
  })
})
