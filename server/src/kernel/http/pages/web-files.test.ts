import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { systemIds } from '#kernel/ids.ts'
import { expectErrorBody } from '#test/access/leaks.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { createLog } from '../../log.ts'
import { createGate } from '../gate/gate.ts'
import { replyWithError } from '../replies/error-reply.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { serveWebFiles } from './web-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'chancery-web-'))
const webDir = join(folder, 'dist')
await mkdir(join(webDir, 'assets'), { recursive: true })
await writeFile(join(folder, 'secret.txt'), 'not for the web')
await writeFile(join(webDir, 'index.html'), '<title>the page</title>')
await writeFile(join(webDir, 'favicon.svg'), '<svg/>')
await writeFile(join(webDir, 'embed.html'), '<title>a frame</title>')
await writeFile(join(webDir, 'isolated.html'), '<title>a frame</title>')
await writeFile(join(webDir, 'interpreter.html'), '<title>a frame</title>')
await writeFile(join(webDir, 'assets', 'app-1a2b.js'), 'run()')
await writeFile(join(webDir, 'assets', 'app-1a2b.js.br'), 'as brotli')
await writeFile(join(webDir, 'assets', 'app-1a2b.js.gz'), 'as gzip')
await writeFile(join(webDir, 'assets', 'font-3c4d.woff2'), 'a font')

const server = fastify({ genReqId: () => systemIds.next() })
const log = createLog('silent')
server.setErrorHandler((problem, request, reply) => replyWithError(log, problem, { request, reply }))
addSecurityHeaders(server)
const gate = createGate({ authenticate: async () => undefined, keyHeaders: ['x-api-key'], externalUrl: undefined })
serveWebFiles(server, { gate, webDir })
const url = await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

describe('the web app', () => {
  it.each([
    '/',
    '/sign-in',
    '/documents/42?tab=audit',
    '/models/a%2Fb',
    '/search/100%25',
    '/apis',
    '/reset-password?token=x',
    '/reset-password?token=x.yz',
    '/models/gpt-4.1',
  ])('is one page, always fresh, at %s', async (path) => {
    const reply = await rawRequest(url, { path })
    expect(reply).toMatchObject({ status: 200, text: '<title>the page</title>' })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    })
  })

  it('gives the frame of embedded pages an origin of its own, and lets only our pages hold it', async () => {
    const { headers } = await rawRequest(url, { path: '/embed.html' })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain('sandbox allow-scripts allow-popups allow-downloads')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(headers['x-frame-options']).toBeUndefined()
  })

  it('allows the frame of previews no address at all: not to load from, to send to, to navigate to or to call', async () => {
    const { headers } = await rawRequest(url, { path: '/isolated.html' })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        'sandbox allow-scripts',
        "default-src 'none'",
        "frame-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "webrtc 'block'",
        "frame-ancestors 'self'",
      ]),
    )
    expect(policy.join()).not.toMatch(/connect-src|https?:|unsafe-eval/)
    expect(headers['connection-allowlist']).toBe('()')
  })

  it('gives the frame that runs code no origin and no network', async () => {
    const { headers } = await rawRequest(url, { path: '/interpreter.html' })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(expect.arrayContaining(['sandbox allow-scripts', "default-src 'none'"]))
    expect(policy.join()).not.toMatch(/connect-src|https?:|'self'(?!$|,form)|unsafe-eval'(?<!wasm-unsafe-eval')/)
  })

  it('keeps named assets for a year, and other files only until they change', async () => {
    const asset = await rawRequest(url, { path: '/assets/app-1a2b.js' })
    expect(asset).toMatchObject({ status: 200, text: 'run()' })
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const icon = await rawRequest(url, { path: '/favicon.svg' })
    expect(icon.headers['cache-control']).toBe('no-cache')
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br', 'as brotli'],
    ['gzip, deflate', 'gzip', 'as gzip'],
    ['br;q=0, gzip', 'gzip', 'as gzip'],
    ['identity', undefined, 'run()'],
  ])('sends an asset as it was compressed at build for %s', async (accepted, encoding, text) => {
    const headers = { 'accept-encoding': accepted }
    const reply = await rawRequest(url, { path: '/assets/app-1a2b.js', headers })
    expect(reply).toMatchObject({ status: 200, text })
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(reply.headers['content-encoding']).toBe(encoding)
    const again = await rawRequest(url, {
      path: '/assets/app-1a2b.js',
      headers: { ...headers, 'if-none-match': String(reply.headers.etag) },
    })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it('sends an asset without a compressed copy as it is', async () => {
    const reply = await rawRequest(url, { path: '/assets/font-3c4d.woff2', headers: { 'accept-encoding': 'br' } })
    expect(reply).toMatchObject({ status: 200, text: 'a font' })
    expect(reply.headers['content-encoding']).toBeUndefined()
  })

  it('is no answer to a write', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await rawRequest(url, { method, path: '/sign-in' })).toMatchObject({ status: 401 })
  })

  it('is never sent in place of a missing asset', async () => {
    const reply = await rawRequest(url, { path: '/assets/app-0000.js' })
    expect(reply.status).toBe(404)
    expectErrorBody(reply.text, 'not_found')
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.each([
    '/robots.txt',
    '/sitemap.xml',
    '/config.json?x=1',
    '/documents/notes.PDF',
    '/index.php',
    '/%2egit/config.bak',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp',
    '/%2ewell-known/security.txt',
    '/.well-known',
  ])('is never sent in place of a file or a description that is not there: %s', async (path) => {
    const reply = await rawRequest(url, { path })
    expect(reply.status).toBe(404)
    expectErrorBody(reply.text, 'not_found')
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
  ])('gives no file from beside its folder: %s', async (path) =>
    expect((await rawRequest(url, { path })).text).not.toContain('not for the web'),
  )
})
