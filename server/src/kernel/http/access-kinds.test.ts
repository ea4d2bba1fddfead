import { parseCookie } from 'cookie'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#kernel/clock.ts'
import { kernelVariables, readVariables } from '#kernel/config/config.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLimits } from '#kernel/limits/limits.ts'
import { createLog } from '#kernel/log.ts'
import type { AccessKind } from './access.ts'
import { type Route, route } from './route.ts'
import { createHttpServer } from './server.ts'

declare module './access.ts' {
  interface AccessKinds {
    testVisit: { id: string; room: string }
  }
}

const log = createLog('silent')
const limits = await createLimits({ clock: systemClock, log })

/** A credential in a header or a cookie that is good for the one room in the path. */
const visits: AccessKind<'testVisit'> = {
  name: 'testVisit',
  recognise: async ({ headers, params }) => {
    const { room } = z.object({ room: z.string() }).parse(params)
    const fromHeader = headers['x-visit']
    const given = fromHeader ?? parseCookie(headers.cookie ?? '').visit
    if (given !== `pass for ${room}`) return undefined
    return { caller: { id: `visit-${room}`, room }, via: fromHeader === undefined ? 'cookie' : 'header' }
  },
}

const visitRoute: Route = route({
  method: 'POST',
  path: '/api/rooms/:room',
  access: 'testVisit',
  writes: { reachesOthers: false, whenReadOnly: 'refused' },
  summary: 'For this test.',
  limits: [{ per: 'actor', max: 3, windowSec: 60 }],
  reply: z.object({ id: z.string(), room: z.string() }),
  handle: async ({ actor }) => actor,
})

const serve = (accessKinds: readonly AccessKind[]) =>
  createHttpServer({
    config: readVariables(kernelVariables, {}),
    log,
    ids: systemIds,
    limits,
    webDir: '/nowhere',
    externalUrl: 'https://office.test',
    authenticate: () => undefined,
    routes: [visitRoute],
    accessKinds,
  })

const server = await serve([visits])
afterAll(() => server.close())
const visit = (room: string, headers: Record<string, string>) =>
  server.inject({ method: 'POST', url: `/api/rooms/${room}`, headers })

describe('an access that a module adds', () => {
  it('gives the handler what the module recognised', async () => {
    const reply = await visit('a', { 'x-visit': 'pass for a' })
    expect(reply).toMatchObject({ statusCode: 200 })
    expect(reply.json()).toEqual({ id: 'visit-a', room: 'a' })
  })

  it('refuses the credential of another room, and an account that the access does not allow', async () => {
    expect(await visit('b', { 'x-visit': 'pass for a' })).toMatchObject({ statusCode: 401 })
    expect(await visit('b', { authorization: 'Bearer somebody' })).toMatchObject({ statusCode: 401 })
  })

  it('asks for proof of the same origin when the credential is a cookie', async () => {
    const cookie = encodeURI('visit=pass for c')
    expect(await visit('c', { cookie })).toMatchObject({ statusCode: 403 })
    expect(await visit('c', { cookie, origin: 'https://evil.test' })).toMatchObject({ statusCode: 403 })
    expect(await visit('c', { cookie, origin: 'https://office.test' })).toMatchObject({ statusCode: 200 })
  })

  it('is limited by its own caller', async () => {
    for (let call = 0; call < 3; call++) await visit('d', { 'x-visit': 'pass for d' })
    expect(await visit('d', { 'x-visit': 'pass for d' })).toMatchObject({ statusCode: 429 })
    expect(await visit('e', { 'x-visit': 'pass for e' })).toMatchObject({ statusCode: 200 })
  })

  it('stops the start when no module registers it', async () => {
    await expect(serve([])).rejects.toThrow('no module registers the access testVisit')
  })
})
