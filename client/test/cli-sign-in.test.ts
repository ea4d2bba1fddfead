/** Signing in with the command line, and what it says when it can't do what it was told. */
import { execFile } from 'node:child_process'
import { chmod, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { sharedApp } from '../../server/test/harness/shared-app.ts'
import { isForPeople } from '../cli/areas.ts'
import { commands } from '../cli/commands.ts'
import { credentialsPath } from '../cli/credentials.ts'
import { sitDown } from './cli-desk.ts'

const app = await sharedApp()

/** Knows none of the calls, as a server does that is older. */
const old = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end('{"detail":"We couldn\'t find what you\'re looking for.","code":"not_found","request_id":"r"}')
})
await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
const oldUrl = `http://127.0.0.1:${(old.address() as AddressInfo).port}`
afterAll(() => old.close())

describe('signing in', () => {
  it('shows a code, waits until it is confirmed, and keeps the key in a file of the owner alone', async () => {
    const ana = await app.user({ isProven: true })
    const { home, run } = await sitDown()
    const decisions: Promise<unknown>[] = []
    const onLine = (line: string) => {
      const [, user_code] = /the code (\S+)\.$/.exec(line) ?? []
      if (user_code) decisions.push(ana.post('/api/auth/device/decision', { user_code, allowed: true }))
    }
    const signedIn = await run(['login', app.url], { onLine })
    expect(signedIn).toMatchObject({ code: 0, out: expect.stringContaining(`as ${ana.name} (${ana.email})`) })
    expect(signedIn.err).toContain('/account/device?code=')
    const path = credentialsPath({ HOME: home })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await run(['whoami'])).toMatchObject({ code: 0, out: expect.stringContaining(ana.email) })

    const { token } = JSON.parse(await readFile(path, 'utf8'))
    const { items } = (await ana.get('/api/v1/api-keys')).body
    await ana.delete(`/api/v1/api-keys/${items[0].id}`)
    expect(token).toMatch(/^sk-/)
    expect(await run(['whoami'])).toMatchObject({ code: 1, err: expect.stringContaining('Run chancery login') })

    await chmod(path, 0o644)
    expect(await run(['whoami'])).toMatchObject({ code: 1, err: expect.stringContaining('chmod 600') })
    await run(['logout'])
    expect(await run(['whoami'])).toMatchObject({ code: 1, err: expect.stringContaining('not signed in') })
  })

  it('ends when the person declines, and leaves no key', async () => {
    const ana = await app.user({ isProven: true })
    const { home, run } = await sitDown()
    const onLine = (line: string) => {
      const [, user_code] = /the code (\S+)\.$/.exec(line) ?? []
      if (user_code) void ana.post('/api/auth/device/decision', { user_code, allowed: false })
    }
    const refused = await run(['login', app.url], { onLine })
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('declined') })
    await expect(stat(credentialsPath({ HOME: home }))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('says that a server is older than itself, and how to go on', async () => {
    const { run } = await sitDown()
    const refused = await run(['login', oldUrl])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('older than this program') })
    expect(refused.err).toContain(`chancery login ${oldUrl} --key KEY`)
    const withKey = await sitDown({ CHANCERY_URL: oldUrl, CHANCERY_KEY: 'sk-any' })
    expect(await withKey.run(['runs', 'list'])).toMatchObject({ code: 1, err: expect.stringContaining('older') })
  })

  it('takes a key, and refuses one that the server does not know', async () => {
    const ana = await app.user()
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
    const { run } = await sitDown()
    expect(await run(['login', app.url, '--key', 'sk-wrong'])).toMatchObject({ code: 1 })
    expect(await run(['login', app.url, '--key', key])).toMatchObject({ code: 0 })
    expect(await run(['whoami'])).toMatchObject({ code: 0, out: expect.stringContaining(ana.email) })
  })
})

describe('a command line that is not understood', () => {
  it('says what is wrong, shows help, and ends with 2', async () => {
    const { run } = await sitDown()
    expect(await run(['dance'])).toMatchObject({ code: 2, err: expect.stringContaining('There is no command dance') })
    expect(await run(['events', 'publish'])).toMatchObject({ code: 2, err: expect.stringContaining('needs TYPE') })
    expect(await run(['runs', 'list', '--loud'])).toMatchObject({ code: 2, err: expect.stringContaining('--loud') })
    expect(await run(['whoami', 'now'])).toMatchObject({ code: 2, err: expect.stringContaining('"now"') })
    expect(await run(['help', 'workflows'])).toMatchObject({ code: 0, out: expect.stringContaining('workflows push') })
  })

  it('is for people where it names one of their commands, and for operators elsewhere', () => {
    for (const { name } of commands) expect(isForPeople(name.split(' '))).toBe(true)
    expect(isForPeople(['help', 'runs'])).toBe(true)
    expect([['help'], ['migrate'], ['help', 'migrate'], []].some(isForPeople)).toBe(false)
  })

  it('runs as a program', async () => {
    const main = fileURLToPath(new URL('../../server/src/chancery.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'help', 'chat'])
    expect(stdout).toContain('Usage: chancery chat [PROMPT…] [--model MODEL]')
  })
})
