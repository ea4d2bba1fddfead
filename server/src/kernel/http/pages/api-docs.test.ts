import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const production = await sharedApp()
const app = await testApp({ env: { ENV: 'dev' } })

describe('the API description', () => {
  const pathsFor = async (person: { get: typeof production.anonymous.get }) => {
    const reply = await person.get('/api/v1/openapi.json')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return Object.keys(reply.body.paths)
  }
  const ofAdmins = '/api/org/team/invitations/{id}'
  const ofPlatform = '/api/admin/users'

  it('is for whoever is signed in, with what they may use', async () => {
    const { user, platformOwner } = production
    const org = 'readers of the API'
    const boss = await user({ org })
    const member = await pathsFor(await user({ org }))
    expect(member).toContain('/api/v1/events')
    expect(member).not.toContain(ofAdmins)
    expect(member).not.toContain(ofPlatform)
    expect(await pathsFor(boss)).toEqual(expect.arrayContaining(['/api/v1/events', ofAdmins]))
    expect(await pathsFor(boss)).not.toContain(ofPlatform)
    expect(await pathsFor(await platformOwner())).toEqual(expect.arrayContaining([ofAdmins, ofPlatform]))
  })

  it('refers to nothing that was left out', async () => {
    const { text, body } = await (await production.user()).get('/api/v1/openapi.json')
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect(body.components[kind], name).toHaveProperty([name])
  })

  it('is not for strangers', async () => {
    expect(await production.anonymous.get('/api/v1/openapi.json')).toMatchObject({ status: 401 })
  })
})

describe('the API documentation', () => {
  it.each(['/docs', '/docs/', '/docs/openapi.json', '/documentation', '/documentation/json'])(
    'is not there in production: %s',
    async (path) => {
      const reply = await production.anonymous.get(path)
      expect(reply.text).not.toContain('openapi')
      if (path.startsWith('/docs')) expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  it('is a page and a document with every route when ENV=dev', async () => {
    const slash = await app.anonymous.get('/docs')
    const page = slash.status === 200 ? slash : await app.anonymous.get('/docs/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(page.text).not.toMatch(/(?:src|href)="https?:\/\//)

    const document = await app.anonymous.get('/docs/openapi.json')
    expect(document).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
    for (const { method, path, summary } of app.routes) {
      const operation = document.body.paths[path.replace(/:(\w+)/g, '{$1}').replace('*', '{rest}')]
      expect(operation?.[method.toLowerCase()], `${method} ${path}`).toMatchObject({ summary })
    }
  })

  it('makes nothing else public in development', async () => {
    expect(await app.anonymous.get('/api/v1/nothing')).toMatchObject({ status: 401 })
    expect(await app.anonymous.get('/api/auth/me')).toMatchObject({ status: 401 })
  })
})
