import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const production = await sharedApp()
const app = await testApp({ env: { ENV: 'dev' } })

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
    for (const { method, path, summary, body } of app.routes) {
      const operation = document.body.paths[path.replace(/:(\w+)|(\*)$/g, '{$1$2}')]?.[method.toLowerCase()]
      expect(operation, `${method} ${path}`).toMatchObject({ summary })
      if (body) expect(operation.requestBody.content).toHaveProperty('application/json')
    }
  })

  it('makes nothing else public in development', async () => {
    expect(await app.anonymous.get('/api/v1/nothing')).toMatchObject({ status: 401 })
    expect(await app.anonymous.get('/api/auth/me')).toMatchObject({ status: 401 })
  })
})
