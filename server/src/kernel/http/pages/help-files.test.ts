import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { systemIds } from '#kernel/ids.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { createLog } from '../../log.ts'
import type { Actor } from '../actor.ts'
import { createGate } from '../gate/gate.ts'
import { replyWithError } from '../replies/error-reply.ts'
import { serveHelp } from './help-files.ts'
import { addSecurityHeaders } from './security-headers.ts'

const folder = await mkdtemp(join(tmpdir(), 'chancery-help-'))
const helpDir = join(folder, 'help')
await mkdir(join(helpDir, 'api'), { recursive: true })
await writeFile(join(folder, 'secret.txt'), 'not for the web')
await writeFile(join(helpDir, '.stamp'), 'not for the web')
await writeFile(join(helpDir, 'index.html'), 'the start')
await writeFile(join(helpDir, '404.html'), 'no such page')
await writeFile(join(helpDir, 'guide.html'), 'the guide')
await writeFile(join(helpDir, 'guide.html.br'), 'as brotli')
await writeFile(join(helpDir, 'api', 'index.html'), 'the reference')
await writeFile(join(helpDir, 'api', 'search.json'), '["the reference"]')

const member: Actor = {
  kind: 'user',
  id: '018f4e7a-9d2c-7c31-b0b5-1c6f2a9e4d70',
  role: 'ROLE_USER',
  organizationId: null,
  credential: { kind: 'session', allowedRoutes: null },
} as never
const server = fastify({ genReqId: () => systemIds.next() })
const log = createLog('silent')
server.setErrorHandler((problem, request, reply) => replyWithError(log, problem, { request, reply }))
addSecurityHeaders(server)
const authenticate = async (token: string) => (token === 'good' ? member : undefined)
const gate = createGate({ authenticate, keyHeaders: [], externalUrl: undefined })
serveHelp(server, { gate, helpDir })
const url = await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(url, { path, headers })
const signedIn = { cookie: 'token=good' }

describe('the help', () => {
  it('is there for everybody, and may reach nothing but this server', async () => {
    expect(await get('/help')).toMatchObject({ status: 302, headers: { location: '/help/' } })
    expect(await get('/help/')).toMatchObject({ status: 200, text: 'the start' })
    const { status, text, headers } = await get('/help/guide.html', { 'accept-encoding': 'br' })
    expect({ status, text }).toEqual({ status: 200, text: 'as brotli' })
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|data:|blob:|\*/)
  })

  it('shows the API to whoever is signed in, and sends others to the sign-in', async () => {
    for (const path of ['/help/api/', '/help/api/index.html', '/help/api/search.json'])
      expect(await get(path, signedIn)).toMatchObject({ status: 200, text: expect.stringContaining('the reference') })
    expect(await get('/help/api/index.html')).toMatchObject({
      status: 302,
      headers: { location: '/sign-in?return_to=%2Fhelp%2Fapi%2Findex.html' },
    })
    expect(await get('/help/api/search.json')).toMatchObject({ status: 401 })
  })

  it.each([
    '/help//api/index.html',
    '/help/./api/index.html',
    '/help/x/../api/index.html',
    '/help/%61pi/index.html',
    '/help/API/index.html',
    '/help/api%2findex.html',
    '/help/%2561pi/index.html',
    '/help/api\\index.html',
  ])('keeps the API from strangers however it is spelled: %s', async (path) => {
    expect((await get(path)).text).not.toContain('the reference')
  })

  it('says so where there is no page', async () => {
    const reply = await get('/help/nothing.html')
    expect(reply).toMatchObject({ status: 404, text: 'no such page' })
    expect(String(reply.headers['content-security-policy'])).toContain("script-src 'self'")
  })

  it.each(['/help/../secret.txt', '/help/..%2fsecret.txt', '/help/%2e%2e/secret.txt', '/help/.stamp'])(
    'gives no other file: %s',
    async (path) => expect((await get(path)).text).not.toContain('not for the web'),
  )
})
