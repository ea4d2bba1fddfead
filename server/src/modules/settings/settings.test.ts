/** Two nodes on one database, with settings made for the occasion. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#config'
import { createKernel } from '#kernel/create-kernel.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { createHttpServer } from '#kernel/http/server.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { createTestClock } from '#test/harness/clock.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { createSettings } from './index.ts'

const database = await cloneDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'chancery-settings-'))
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const owner: Actor = {
  kind: 'admin',
  id: systemIds.next(),
  name: 'Olga Owner',
  email: 'olga@example.test',
  role: 'ROLE_PLATFORM_OWNER',
  organizationId: null,
  status: 'ACTIVE',
  loginOtp: false,
  createdAt: new Date(),
  credential: { kind: 'session', id: systemIds.next(), expiresAt: null, allowedRoutes: null },
}

interface NodeOptions {
  env?: Record<string, string>
  secretKey?: string
  /** True when signals reach it. */
  isListening?: boolean
  /** True when it looks by itself from time to time. */
  isLooking?: boolean
}

const startNode = async ({ env = {}, secretKey, isListening = true, isLooking = true }: NodeOptions = {}) => {
  const lines: string[] = []
  const clock = createTestClock()
  const config = readConfig({ LOG_LEVEL: 'warn', SVC_DATA_DIR: dataDir, ...env })
  const log = createLog(config.LOG_LEVEL, { write: (line) => void lines.push(line) })
  const { kernel, start, stop } = await createKernel({
    config,
    log,
    databaseUrl: database.url,
    clock,
    ids: systemIds,
    passwordCost: 4,
    secrets: { ...testSecrets, ...(secretKey === undefined ? {} : { SVC_SECRET_KEY: secretKey }) },
    migrationsDir: fileURLToPath(new URL('../../../migrations', import.meta.url)),
  })
  const settings = await createSettings({ kernel })
  const sentence = 'For the test.'
  const text = z.string().min(1).max(20)
  const read = {
    greeting: settings.register<string>({
      key: 'lobby.greeting',
      type: 'text',
      sentence,
      schema: text,
      environment: 'from env',
      fallback: 'hello',
    }),
    seats: settings.register<number>({
      key: 'lobby.seats',
      type: 'number',
      sentence,
      schema: z.int().min(1),
      environment: undefined,
      fallback: 4,
    }),
    pass: settings.register<string | undefined>({
      key: 'lobby.pass',
      type: 'secret',
      sentence,
      schema: text,
      environment: undefined,
      fallback: undefined,
    }),
    scopes: settings.register<string>({
      key: 'oauth.scopes',
      type: 'text',
      sentence,
      schema: text,
      environment: 'openid',
      fallback: 'none',
    }),
    extra: settings.register<Record<string, string>>({
      key: 'lobby.extra',
      type: 'json',
      sentence,
      environment: undefined,
      fallback: {},
      schema: z.record(z.string(), z.string()),
    }),
  }
  const server = await createHttpServer({
    config,
    log,
    ids: kernel.ids,
    limits: kernel.limits,
    routes: settings.routes,
    webDir: '',
    externalUrl: undefined,
    authenticate: async (token) => (token === 'owner' ? owner : undefined),
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  if (isListening) await start([])
  const stopping = new AbortController()
  if (isLooking) settings.start?.(stopping.signal)
  stops.push(async () => {
    stopping.abort()
    await server.close()
    await stop(async () => undefined)
  })
  const client = createClient(url, bearer('owner'))
  const entry = async (key: string) =>
    (await client.get('/api/v1/configs')).body.items.find((item: { key: string }) => item.key === key)
  return { ...client, entry, read, settings, kernel, lines, clock }
}

const node = await startNode()
const save = (body: unknown) => node.post('/api/v1/configs', body)
const audited = async (key: string) => {
  const rows = await node.kernel.db
    .selectFrom('auditLog')
    .selectAll()
    .where('targetId', '=', key)
    .orderBy('id')
    .execute()
  return rows.map(({ action, detail, actorId }) => ({ action, detail, actorId }))
}

describe('the settings of the instance', () => {
  it('say where each value comes from', async () => {
    expect(await node.entry('lobby.greeting')).toMatchObject({ value: 'from env', source: 'environment', isSet: true })
    expect(await node.entry('lobby.seats')).toMatchObject({ value: 4, source: 'default', isEditable: true })
    expect(await node.entry('lobby.pass')).toMatchObject({ value: null, source: 'default', isSet: false })
    expect((await node.get('/api/v1/configs')).body.total).toBe(5)
  })

  it('are saved over the environment, and null goes back to it', async () => {
    expect(await save({ 'lobby.greeting': 'saved', 'lobby.seats': 9 })).toMatchObject({ status: 200 })
    expect([node.read.greeting(), node.read.seats()]).toEqual(['saved', 9])
    expect(await node.entry('lobby.greeting')).toMatchObject({ value: 'saved', source: 'database' })

    expect(await save({ 'lobby.greeting': null, 'lobby.seats': null })).toMatchObject({ status: 200 })
    expect([node.read.greeting(), node.read.seats()]).toEqual(['from env', 4])
    expect(await node.entry('lobby.seats')).toMatchObject({ value: 4, source: 'default' })
  })

  it('keep an object as it was given', async () => {
    const extra = { max_age: '60', loginHint: 'x' }
    await save({ 'lobby.extra': extra })
    expect(node.read.extra()).toEqual(extra)
    expect(await node.entry('lobby.extra')).toMatchObject({ value: extra })
  })

  it('are saved all or none', async () => {
    const wrong = await save({ 'lobby.greeting': 'half', 'lobby.seats': 0, 'lobby.extra': { a: 1 } })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['body', 'lobby.seats'],
      ['body', 'lobby.extra', 'a'],
    ])
    expect(await save({ 'lobby.greeting': 'half', 'lobby.sofa': 1 })).toMatchObject({
      status: 404,
      body: { code: 'setting_not_found' },
    })
    expect(await save({ 'lobby.greeting': 'half', 'oauth.scopes': 'x' })).toMatchObject({ status: 409 })
    expect(node.read.greeting()).toBe('from env')
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', 'lobby', 'LOBBY.GREETING'])('do not know %s', async (key) => {
    expect(await save({ [key]: 'x' })).toMatchObject({ status: 404, body: { code: 'setting_not_found' } })
  })

  it.each([['{}'], ['[]'], ['null'], ['"lobby.greeting"'], [undefined]])('take no %s for a change', async (body) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await node.send('POST', '/api/v1/configs', body === undefined ? { headers } : { body, headers })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })

  it('leave an audit entry for each change, and none for what changes nothing', async () => {
    await save({ 'lobby.seats': 7 })
    await save({ 'lobby.seats': null })
    await save({ 'lobby.seats': null })
    expect((await audited('lobby.seats')).slice(-2)).toEqual([
      { action: 'settings.save', detail: { value: 7 }, actorId: owner.id },
      { action: 'settings.take_back', detail: {}, actorId: owner.id },
    ])
  })

  it('tell listeners which values changed, and only then', async () => {
    const heard: (readonly string[])[] = []
    node.settings.onChange((keys) => heard.push(keys))
    await save({ 'lobby.greeting': 'from env' })
    await save({ 'lobby.greeting': 'new', 'lobby.seats': 4 })
    await save({ 'lobby.greeting': null, 'lobby.seats': null })
    expect(heard).toEqual([['lobby.greeting'], ['lobby.greeting']])
  })
})

describe('a secret setting', () => {
  it('is used, but neither shown, nor logged, nor kept in clear', async () => {
    const reply = await save({ 'lobby.pass': 'open sesame' })
    expect(node.read.pass()).toBe('open sesame')
    expect(await node.entry('lobby.pass')).toMatchObject({ value: null, isSet: true, source: 'database' })
    const everything = [reply.text, (await node.get('/api/v1/configs')).text, ...node.lines]
    for (const table of ['settings', 'auditLog'] as const)
      everything.push(JSON.stringify(await node.kernel.db.selectFrom(table).selectAll().execute()))
    for (const text of everything) expect(text).not.toContain('sesame')
  })

  it('counts as unset on a node that cannot open it, with a line in the log that does not show it', async () => {
    await save({ 'lobby.pass': 'open sesame' })
    const stranger = await startNode({ secretKey: 'a-key-under-which-nothing-here-was-sealed' })
    expect(stranger.read.pass()).toBeUndefined()
    expect(stranger.lines.join()).toContain('lobby.pass')
    expect(stranger.lines.join()).not.toContain('sesame')
  })

  it('does not open under the name of another setting', async () => {
    await save({ 'lobby.pass': 'open sesame' })
    const { db } = node.kernel
    const sealed = await db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'lobby.pass')
      .executeTakeFirstOrThrow()
    await save({ 'lobby.greeting': 'x' })
    const value = JSON.stringify(sealed.value)
    await db.updateTable('settings').set({ key: 'lobby.moved', value }).where('key', '=', 'lobby.greeting').execute()
    const moved = node.settings.register<string | undefined>({
      key: 'lobby.moved',
      type: 'secret',
      sentence: '',
      environment: undefined,
      fallback: undefined,
      schema: z.string(),
    })
    await save({ 'lobby.seats': 5 })
    expect(moved()).toBeUndefined()
    expect(node.read.pass()).toBe('open sesame')
    await save({ 'lobby.moved': null, 'lobby.seats': null })
  })
})

describe('several nodes', () => {
  it('hear of a change by signal', async () => {
    const other = await startNode({ isLooking: false })
    await save({ 'lobby.greeting': 'for all' })
    await expect.poll(() => other.read.greeting(), { timeout: 20_000 }).toBe('for all')
    await save({ 'lobby.greeting': null })
    await expect.poll(() => other.read.greeting(), { timeout: 20_000 }).toBe('from env')
  })

  it('find it by looking when every signal is lost', async () => {
    const deaf = await startNode({ isListening: false })
    await save({ 'lobby.greeting': 'unheard' })
    deaf.clock.forward({ ms: 1000 })
    await expect.poll(() => deaf.read.greeting(), { timeout: 20_000 }).toBe('unheard')
    await save({ 'lobby.greeting': null })
  })

  it('load what a node of an earlier release saved, which counts no change but signals it', async () => {
    const { db, signals } = node.kernel
    const row = { key: 'lobby.seats', value: '9', updatedAt: new Date(), updatedBy: owner.id }
    await db.insertInto('settings').values(row).execute()
    await signals.send(db, 'settings', 'changed')
    await expect.poll(() => node.read.seats(), { timeout: 20_000 }).toBe(9)
    await save({ 'lobby.seats': null })
  })

  it('start with what is saved', async () => {
    await save({ 'lobby.greeting': 'before you' })
    const late = await startNode({ isListening: false, isLooking: false })
    expect(late.read.greeting()).toBe('before you')
    await save({ 'lobby.greeting': null })
  })
})

describe('ENABLE_PERSISTENT_CONFIG=false', () => {
  it('leaves saved values where they are, unused and not editable', async () => {
    await save({ 'lobby.greeting': 'kept' })
    const bare = await startNode({
      env: { ENABLE_PERSISTENT_CONFIG: 'false', ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' },
    })
    expect(bare.read.greeting()).toBe('from env')
    expect(await bare.entry('lobby.greeting')).toMatchObject({ source: 'environment', isEditable: false })
    expect(await bare.entry('oauth.scopes')).toMatchObject({ isEditable: false })
    for (const body of [{ 'lobby.greeting': 'x' }, { 'lobby.greeting': null }, { 'oauth.scopes': 'x' }])
      expect(await bare.post('/api/v1/configs', body)).toMatchObject({
        status: 409,
        body: { code: 'setting_not_editable' },
      })
    expect(node.read.greeting()).toBe('kept')
    await save({ 'lobby.greeting': null })
  })
})

describe('ENABLE_OAUTH_PERSISTENT_CONFIG', () => {
  it('holds oauth. settings to the environment while it is off, even when they are saved', async () => {
    const gated = await startNode({ env: { ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' } })
    expect(await gated.post('/api/v1/configs', { 'oauth.scopes': 'openid groups' })).toMatchObject({ status: 200 })
    expect(gated.read.scopes()).toBe('openid groups')
    expect(await gated.entry('oauth.scopes')).toMatchObject({ source: 'database', isEditable: true })

    await save({ 'lobby.seats': 3 })
    expect(node.read.scopes()).toBe('openid')
    expect(await node.entry('oauth.scopes')).toMatchObject({
      value: 'openid',
      source: 'environment',
      isEditable: false,
    })
    expect(await save({ 'oauth.scopes': 'x' })).toMatchObject({ status: 409, body: { code: 'setting_not_editable' } })
    expect(await save({ 'lobby.seats': null })).toMatchObject({ status: 200 })
  })
})
