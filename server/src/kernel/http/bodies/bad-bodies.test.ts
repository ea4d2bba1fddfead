/** Bad input over every route that reads a body, taken from the route table. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shapeOf, validBody, wrongBodies } from '#test/access/body-samples.ts'
import { goRound } from '#test/access/go-round.ts'
import { expectErrorBody } from '#test/access/leaks.ts'
import { rowCounts } from '#test/access/row-counts.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { rawRequest } from '#test/harness/raw.ts'
import type { Route } from '../route.ts'

const app = await testApp()
const owner = await app.platformOwner()
const boss = await app.user({ org: 'bad bodies' })
type Shaped = Route & { body: z.ZodType }
/** A body that is a list, whose keys are data or that another standard describes has no shape to walk, and forms are no JSON; their modules test them. */
const hasShape = (route: Route): route is Shaped =>
  route.body !== undefined && ![z.ZodRecord, z.ZodArray, z.ZodUnknown].some((kind) => route.body instanceof kind)
const withBody = app.routes.filter(hasShape).filter(({ accepts, upload }) => accepts !== 'form' && !upload)

const callerOf = ({ access }: Route) => {
  if (access === 'public') return app.newcomer()
  return access === 'platformOwner' ? owner : boss
}

const tokenOf = ({ access }: Route) => (access === 'platformOwner' ? owner : boss).token

/** Some bodies may be left out; null is none then. */
const needsBody = ({ body }: Route) => body?.safeParse(null).success === false

/** The fields of another API's requests are that API's to judge. */
const isOpen = ({ body }: Route) => body instanceof z.ZodObject && body.def.catchall instanceof z.ZodUnknown

const send = (route: Route, body: string | Uint8Array, type = 'application/json') => {
  const path = route.path.replace(/:\w+/g, () => app.unknownId())
  return callerOf(route).send(route.method, path, { body, headers: { 'content-type': type } })
}
const sendJson = (route: Route, value: unknown) => send(route, JSON.stringify(value))

/** A right body with one text of it replaced by raw JSON. */
const withRawText = (route: Shaped, raw: string): string => {
  const json = JSON.stringify(validBody(app, route.body))
  return json.includes(':"') ? json.replace(/:"[^"]*"/, `:"${raw}"`) : `{"more":"${raw}",${json.slice(1)}`
}

const rowsBefore = await rowCounts(app)

const depth = 10_000
const nestedLists = (core: string) => `${'['.repeat(depth)}${core}${']'.repeat(depth)}`
const deepBodies = [
  nestedLists('1'),
  `{"name":${nestedLists('"\\u0041"')}}`,
  `${'{"a":'.repeat(depth)}{"__proto__":1}${'}'.repeat(depth)}`,
]

const notObjects = ['null', '[]', '"text"', '1', 'true']
const foreignKeys = ['role', 'isAdmin', 'constructor', 'toString', 'hasOwnProperty']
const brokenJson = ['{', '{"a":1,}', '{"a":1}}', "{'a':1}", 'NaN', '\u00a0{}', '{"a":"\n"}', '\u0000', '{"a":01}']
const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'x',
]
const brokenTexts = ['a\\u0000b', '\\ud800', '\\udc00\\ud800', 'x\\uDFFF']
const brokenUtf8 = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]
const prototypes = [
  '{"__proto__":{"isAdmin":true}}',
  '{"\\u005f_proto__":1}',
  '{"name":{"__proto__":[]}}',
  '[{"__proto__":1}]',
]

/**
 * Bodies that one reader refuses for all routes. Each route is tried with two of these kinds, and the next route with
 * the next two.
 */
const kinds = [
  'not an object',
  'too large',
  'broken JSON',
  'other types',
  'no Unicode',
  'no UTF-8',
  'prototypes',
  'deep',
]

const named = withBody.map((route, index) => {
  const turn = Math.floor((index * 2) / kinds.length)
  const pick = <Sample>(samples: readonly Sample[]) => goRound(samples, turn, 1)[0] as Sample
  const tried = goRound(kinds, index, 2)
  return [`${route.method} ${route.path}`, { route, index, pick, tried }] as const
})

describe.each(named)('%s', (_name, { route, index, pick, tried }) => {
  const inTurn = (kind: string, name: string, test: () => Promise<void>) => {
    if (tried.includes(kind)) it(name, test)
  }

  it('misses its body', async () => {
    const path = route.path.replace(/:\w+/g, () => app.unknownId())
    const reply = await callerOf(route).send(route.method, path)
    expect(reply.status).toBe(needsBody(route) ? 422 : 404)
    expectErrorBody(reply.text, needsBody(route) ? 'validation_failed' : undefined)
  })

  inTurn('not an object', 'takes nothing but an object', async () => {
    const json = pick(notObjects)
    const reply = await send(route, json)
    const isNone = json === 'null' && !needsBody(route)
    expect(reply.status).toBe(isNone ? 404 : 422)
    expectErrorBody(reply.text, isNone ? undefined : 'validation_failed')
  })

  it('names every field that an empty object lacks, and changes nothing where none is needed', async () => {
    const required = Object.entries(shapeOf(route.body)).filter(([, field]) => !field.safeParse(undefined).success)
    const reply = await sendJson(route, {})
    const unharmed = route.path.includes(':') ? [404] : [200, 404]
    const isUseless = route.body.safeParse({}).success === false
    expect(isUseless ? [422] : unharmed).toContain(reply.status)
    if (required.length === 0) return
    expectErrorBody(reply.text, 'validation_failed')
    const named = reply.body.detail.map(({ loc }: { loc: string[] }) => loc[1])
    expect(named).toEqual(expect.arrayContaining(required.map(([name]) => name)))
  })

  const refusesOthers = isOpen(route) ? [] : [route]
  it.each(refusesOthers)('takes no field that it does not know', async () => {
    const extra = pick(foreignKeys)
    const reply = await sendJson(route, { ...validBody(app, route.body), [extra]: 'ROLE_PLATFORM_OWNER' })
    expect(reply.status).toBe(422)
    expect(JSON.stringify(reply.body.detail)).toContain(extra)
    expectErrorBody(reply.text, 'validation_failed')
  })

  it('says which field has the wrong type', async () => {
    const [bodies, valid] = [wrongBodies(route.body, index), validBody(app, route.body)]
    expect(bodies.length).toBeGreaterThan(0)
    for (const wrong of bodies) {
      const reply = await sendJson(route, { ...valid, ...wrong })
      expect(reply.status, JSON.stringify(wrong)).toBe(422)
      const named = reply.body.detail.map(({ loc }: { loc: string[] }) => loc[1])
      expect(named, JSON.stringify(wrong)).toEqual(expect.arrayContaining(Object.keys(wrong)))
      expectErrorBody(reply.text, 'validation_failed')
    }
  })

  inTurn('too large', 'reads no more than it accepts: 10 MB are 413, or what it says beyond', async () => {
    const length = Math.max(10_000_000, route.maxBodyBytes ?? 0) + 1
    const path = route.path.replace(/:\w+/g, () => app.unknownId())
    const headers = { ...bearer(tokenOf(route)), 'content-type': 'application/json', 'content-length': String(length) }
    const reply = await rawRequest(app.url, { method: route.method, path, headers })
    expect(reply.status).toBe(413)
    expectErrorBody(reply.text, 'body_too_large')
  })

  inTurn('broken JSON', 'reads no broken JSON', async () => {
    const reply = await send(route, pick(brokenJson))
    expect(reply.status).toBe(400)
    expectErrorBody(reply.text, 'invalid_json')
  })

  inTurn('other types', 'reads JSON only', async () => {
    const reply = await send(route, JSON.stringify(validBody(app, route.body)), pick(otherTypes))
    expect(reply.status).toBe(415)
    expectErrorBody(reply.text, 'unsupported_media_type')
  })

  inTurn('no Unicode', 'stores no text that is not Unicode', async () => {
    const reply = await send(route, withRawText(route, pick(brokenTexts)))
    expect(reply.status).toBe(400)
    expectErrorBody(reply.text, 'invalid_text')
  })

  inTurn('no UTF-8', 'reads no broken UTF-8', async () => {
    const [head, tail] = withRawText(route, '§').split('§')
    const body = Buffer.concat([Buffer.from(head ?? ''), Buffer.from(pick(brokenUtf8)), Buffer.from(tail ?? '')])
    const reply = await send(route, body)
    expect(reply.status).toBe(400)
    expectErrorBody(reply.text, 'invalid_text')
  })

  inTurn('prototypes', 'lets nobody touch a prototype', async () => {
    const reply = await send(route, pick(prototypes))
    expect(reply.status).toBe(400)
    expectErrorBody(reply.text, 'unsafe_key')
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  inTurn('deep', 'survives ten thousand brackets, with escapes and unsafe keys inside', async () => {
    const reply = await send(route, pick(deepBodies))
    expect([400, 404, 422]).toContain(reply.status)
    expectErrorBody(reply.text)
    expect(await app.anonymous.get('/health')).toMatchObject({ status: 200 })
  })
})

it('none of them has written a row', async () => {
  expect(await rowCounts(app)).toEqual(rowsBefore)
})
