/** Webhooks: what is signed becomes an event and starts its workflow, whatever else comes leaves nothing (A46). */
import { createHmac, randomUUID } from 'node:crypto'
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { describe, expect, it } from 'vitest'
import { createSealer } from '#kernel/crypto/sealer.ts'
import { sealChain } from '#modules/event-bus/index.ts'
import { rowCounts } from '#test/access/row-counts.ts'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, ingest, ingestKey } from '#test/harness/bus.ts'
import { finished } from '#test/harness/runs.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { workflowsPath as base, makePublished, node, publishWorkflow } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const ana = await app.user({ org: 'webhooks' })
const sealer = createSealer({ current: testSecrets.SVC_SECRET_KEY, previous: [] })

interface Hook {
  id: string
  url: string
  secret: string
}

const makeHook = async (more: object = {}, author = ana): Promise<Hook & { workflowId: string; path: string }> => {
  const { id: workflowId } = await makePublished(author)
  const { status, body } = await author.post(`${base}/${workflowId}/triggers/webhook`, { name: 'Hook', ...more })
  expect(status).toBe(201)
  return { ...body, workflowId, path: `${base}/${workflowId}/triggers/${body.id}` }
}

interface Message {
  id?: string
  at?: Date
  body?: string | Uint8Array
  type?: string
}

const sign = (secret: string, { id, seconds, body }: { id: string; seconds: number; body: string | Uint8Array }) => {
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
  return `v1,${mac.update(`${id}.${seconds}.`).update(body).digest('base64')}`
}

const signedHeaders = (secret: string, { id = randomUUID(), at = app.clock.now(), body = '{}', type }: Message) => {
  const seconds = Math.floor(at.getTime() / 1000)
  return {
    'content-type': type ?? 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign(secret, { id, seconds, body }),
  }
}

const post = (url: string, headers: Record<string, string>, body: string | Uint8Array = '{}') =>
  app.anonymous.send('POST', new URL(url).pathname, { headers, body })

const deliver = ({ url, secret }: Pick<Hook, 'url' | 'secret'>, message: Message = {}) =>
  post(url, signedHeaders(secret, message), message.body)

const eventOf = (eventId: string) =>
  app.db.selectFrom('events').selectAll().where('eventId', '=', eventId).executeTakeFirstOrThrow()

/** The decisions about one workflow; every webhook of a scope that publishes the type has its say. */
const decisionsOf = async (eventId: string, workflowId: string) => {
  await dispatched(app)
  return (await deliveriesOf(app, eventId)).filter((each) => each.workflowId === workflowId)
}

describe('a webhook', () => {
  it('shows its secret once, and its address again', async () => {
    const { workflowId, path, secret, url, ...rest } = await makeHook()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(new URL(url).pathname).toMatch(/^\/api\/public\/hooks\/[\w-]{43}$/)
    expect(rest).toEqual({
      id: expect.any(String),
      workflow_id: workflowId,
      kind: 'webhook',
      name: 'Hook',
      paused_at: null,
      paused_reason: null,
      event_type: 'webhook_received',
      scheme: 'standard',
      old_secret_ends_at: null,
      signature_header: null,
      filter_expr: null,
      include_request: false,
      answer_sec: null,
      catalog_id: null,
      space_id: null,
      enabled: true,
      created_at: expect.any(Number),
    })
    const list = await ana.get(`${base}/${workflowId}/triggers`)
    expect(list.body).toEqual({ items: [{ ...rest, url }], total: 1 })
    const row = await app.db
      .selectFrom('webhookTriggers')
      .selectAll()
      .where('id', '=', rest.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(JSON.stringify(row)).not.toContain(url.split('/').at(-1))
  })

  it('publishes what is signed in the scope of its workflow, and starts that workflow alone', async () => {
    const hook = await makeHook({ event_type: 'lead_arrived' })
    const other = await makeHook({ event_type: 'lead_arrived' })
    const reply = await deliver(hook, { body: '{"lead": "Zoë"}' })
    expect(reply).toMatchObject({ status: 202, body: { duplicate: false } })
    expect(Object.keys(reply.body).sort()).toEqual(['duplicate', 'event_id'])
    expect(await eventOf(reply.body.event_id)).toMatchObject({
      eventType: 'lead_arrived',
      source: `webhook:${hook.id}`,
      payload: { lead: 'Zoë' },
      scopeId: ana.organizationId,
      userId: null,
    })
    expect(await decisionsOf(reply.body.event_id, other.workflowId)).toMatchObject([{ decision: 'filter_false' }])
    const [fired] = await decisionsOf(reply.body.event_id, hook.workflowId)
    const run = await finished(ana, fired?.runId ?? '')
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'webhook', event_id: reply.body.event_id })
  })

  it('takes bodies that are no JSON as text or as base64', async () => {
    const hook = await makeHook()
    const payloadOf = async (message: Message) => (await eventOf((await deliver(hook, message)).body.event_id)).payload
    expect(await payloadOf({ body: 'name=Zoë', type: 'application/x-www-form-urlencoded' })).toEqual({
      text: 'name=Zoë',
    })
    expect(await payloadOf({ body: '<a/>', type: 'application/xml' })).toEqual({ text: '<a/>' })
    const bytes = new Uint8Array([0, 255, 1])
    expect(await payloadOf({ body: bytes, type: 'application/octet-stream' })).toEqual({ base64: 'AP8B' })
    expect(await payloadOf({ body: '[1]', type: 'application/cloudevents+json; charset=utf-8' })).toEqual([1])
  })

  it('records the event also while its workflow is not published, with a decision that says so', async () => {
    const { id } = (await ana.post(base, { name: 'Draft' })).body
    const { body } = await ana.post(`${base}/${id}/triggers/webhook`, { name: 'Early' })
    const reply = await deliver(body)
    expect(await decisionsOf(reply.body.event_id, id)).toMatchObject([{ decision: 'workflow_not_published' }])
  })

  it('has two live secrets for a day when it gets a new one', async () => {
    const hook = await makeHook()
    const rotated = (await ana.patch(hook.path, { rotate_secret: true })).body
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(hook.secret)
    const endsAt = rotated.old_secret_ends_at * 1000 - app.clock.now().getTime()
    expect(endsAt).toBeGreaterThan(23.9 * 3_600_000)
    expect(endsAt).toBeLessThanOrEqual(24 * 3_600_000)
    await until(async () => (await deliver({ ...hook, secret: rotated.secret })).status === 202)
    expect(await deliver(hook)).toMatchObject({ status: 202 })
    const both = signedHeaders(rotated.secret, { id: 'both' })
    const signatures = `v1a,AAAA v1,AAAA ${both['webhook-signature']}`
    expect(await post(hook.url, { ...both, 'webhook-signature': signatures })).toMatchObject({ status: 202 })
    app.clock.forward({ minutes: 24 * 60 + 1 })
    expect(await deliver(hook)).toMatchObject({ status: 401 })
    expect(await deliver({ ...hook, secret: rotated.secret })).toMatchObject({ status: 202 })
    expect((await ana.get(`${base}/${hook.workflowId}/triggers`)).body.items[0].old_secret_ends_at).toBeNull()
  })

  it('is changed together with what its workflow listens to', async () => {
    const hook = await makeHook()
    expect((await ana.patch(hook.path, { event_type: 'renamed_type', name: 'Renamed' })).body).toMatchObject({
      event_type: 'renamed_type',
      name: 'Renamed',
    })
    let eventId = ''
    await until(async () => {
      eventId = (await deliver(hook)).body.event_id
      return (await eventOf(eventId)).eventType === 'renamed_type'
    })
    const decisions = await decisionsOf(eventId, hook.workflowId)
    expect(decisions).toMatchObject([{ decision: 'fired', subscriptionName: 'Renamed' }])
  })

  describe('of the scheme of GitHub', () => {
    const signed = (secret: string, body: string, delivery: string | null = randomUUID()) => ({
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ...(delivery !== null && { 'x-github-delivery': delivery }),
    })

    it('takes its header and nothing else', async () => {
      const hook = await makeHook({ scheme: 'github' })
      const headers = signed(hook.secret, '{"action":"opened"}')
      expect(await post(hook.url, headers, '{"action":"closed"}')).toMatchObject({ status: 401 })
      expect(await deliver(hook)).toMatchObject({ status: 401 })
      const taken = { status: 202, body: { duplicate: false } }
      expect(await post(hook.url, headers, '{"action":"opened"}')).toMatchObject(taken)
    })

    it('takes the same signed body once a day, whatever the delivery is called', async () => {
      const hook = await makeHook({ scheme: 'github' })
      const other = await makeHook({ scheme: 'github' })
      const body = '{"action":"opened"}'
      const headers = signed(hook.secret, body)
      const first = await post(hook.url, headers, body)
      expect(first).toMatchObject({ status: 202, body: { duplicate: false } })
      const rotated = (await ana.patch(hook.path, { rotate_secret: true })).body
      await until(async () => (await post(hook.url, signed(rotated.secret, '{}'), '{}')).status === 202)
      const again = [
        headers,
        { ...headers, 'x-github-delivery': randomUUID() },
        { ...headers, 'x-github-delivery': '' },
        signed(hook.secret, body, null),
        signed(rotated.secret, body),
      ]
      for (const replay of again)
        expect(await post(hook.url, replay, body)).toMatchObject({
          status: 202,
          body: { ...first.body, duplicate: true },
        })
      const spaced = '{"action": "opened"}'
      expect((await post(hook.url, signed(rotated.secret, spaced), spaced)).body.duplicate).toBe(false)
      expect((await post(other.url, signed(other.secret, body), body)).body.duplicate).toBe(false)
      app.clock.forward({ minutes: 24 * 60 + 1 })
      expect((await post(hook.url, signed(rotated.secret, body), body)).body.duplicate).toBe(false)
    })
  })
})

describe('A46: what is not signed', () => {
  it('is refused with one answer and leaves nothing: unknown, off, unsigned, wrong, old, early, altered', async () => {
    const hook = await makeHook()
    const off = await makeHook({ enabled: false })
    const message = { id: randomUUID(), body: '{"amount": 1}' }
    const good = signedHeaders(hook.secret, message)
    const minutes = (count: number) => new Date(app.clock.now().getTime() + count * 60_000)
    const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
    const attempts: [string, Record<string, string>, string?][] = [
      [`${app.url}/api/public/hooks/${'x'.repeat(43)}`, good],
      [off.url, signedHeaders(off.secret, message)],
      [hook.url, { 'content-type': 'application/json' }],
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name): [string, Record<string, string>] => [
        hook.url,
        without(name),
      ]),
      [hook.url, signedHeaders(`whsec_${Buffer.alloc(24).toString('base64')}`, message)],
      [hook.url, signedHeaders(hook.secret, { ...message, at: minutes(-6) })],
      [hook.url, signedHeaders(hook.secret, { ...message, at: minutes(6) })],
      [hook.url, { ...good, 'webhook-id': randomUUID() }],
      [hook.url, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) }],
      [hook.url, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }],
      [hook.url, { ...good, 'webhook-signature': '' }],
      [hook.url, good, '{"amount": 2}'],
      [hook.url, signedHeaders(hook.secret, { ...message, id: 'x'.repeat(201) })],
      // Nothing of the body is read before the signature holds, or this would be 400.
      [hook.url, good, '{"__proto__": '],
    ]
    const before = await rowCounts(app)
    const answers = new Set<string>()
    for (const [url, headers, body = message.body] of attempts) {
      const reply = await post(url, headers, body)
      expect(reply.status).toBe(401)
      answers.add(JSON.stringify({ ...reply.body, request_id: '' }))
    }
    expect(answers.size).toBe(1)
    expect(await rowCounts(app)).toEqual(before)
    expect(await post(hook.url, good, message.body)).toMatchObject({ status: 202 })
  })

  it('includes a replay: within five minutes it is the same event, afterwards it is refused', async () => {
    const hook = await makeHook()
    const message = { id: randomUUID(), at: app.clock.now(), body: '{"amount": 1}' }
    const first = await deliver(hook, message)
    expect(first).toMatchObject({ status: 202, body: { duplicate: false } })
    expect(await deliver(hook, message)).toMatchObject({ body: { ...first.body, duplicate: true } })
    app.clock.forward({ minutes: 6 })
    expect(await deliver(hook, message)).toMatchObject({ status: 401 })
    expect(await deliver(hook, { ...message, at: app.clock.now() })).toMatchObject({ body: { duplicate: true } })
    expect(await decisionsOf(first.body.event_id, hook.workflowId)).toMatchObject([{ decision: 'fired' }])
    const started = await app.db.selectFrom('runs').select('id').where('workflowId', '=', hook.workflowId).execute()
    expect(started).toHaveLength(1)
  })

  it('includes an event that a member publishes in the name of a webhook', async () => {
    const hook = await makeHook()
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'publisher' })).body
    const forged = await ingest(
      app,
      { event_type: 'webhook_received', source: `webhook:${hook.id}` },
      { 'x-api-key': key },
    )
    expect(forged.status).toBe(202)
    expect(await decisionsOf(forged.body.event_id, hook.workflowId)).toMatchObject([{ decision: 'filter_false' }])
  })

  it('learns that a body is broken only when it is signed', async () => {
    const hook = await makeHook()
    expect(await deliver(hook, { body: '{"a":' })).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    expect(await deliver(hook, { body: '{"__proto__":1}' })).toMatchObject({ body: { code: 'unsafe_key' } })
  })

  it('is slowed down by address, while who is signed is not', async () => {
    const hook = await makeHook()
    const statuses = new Set<number>()
    for (let count = 0; count < 130; count++) statuses.add((await post(hook.url, {})).status)
    expect([...statuses]).toEqual([401, 429])
    expect(await deliver(hook)).toMatchObject({ status: 202 })
    app.clock.forward({ minutes: 2 })
    expect(await post(hook.url, {})).toMatchObject({ status: 401 })
  })
})

describe('a webhook takes nothing any more', () => {
  const isShut = (hook: Hook) => until(async () => (await deliver(hook)).status === 401, 'the refusal')

  it('when it is turned off, until it is turned on', async () => {
    const hook = await makeHook()
    expect(await deliver(hook)).toMatchObject({ status: 202 })
    await ana.patch(hook.path, { enabled: false })
    await isShut(hook)
    await ana.patch(hook.path, { enabled: true })
    await until(async () => (await deliver(hook)).status === 202)
  })

  it('when it or its workflow is deleted', async () => {
    for (const whole of [false, true]) {
      const hook = await makeHook()
      expect(await deliver(hook)).toMatchObject({ status: 202 })
      await ana.delete(whole ? `${base}/${hook.workflowId}` : hook.path)
      await isShut(hook)
    }
  })

  it('when its organization is closed or its trial is over', async () => {
    const owner = await app.platformOwner()
    for (const change of [{ active: false }, { plan: 'TRIAL', trialEndsAt: new Date(1).toISOString() }]) {
      const boss = await app.user({ org: `closing ${randomUUID()}` })
      const hook = await makeHook({}, boss)
      expect(await deliver(hook)).toMatchObject({ status: 202 })
      const reply = await owner.patch(`/api/admin/organizations/${boss.organizationId}`, change)
      expect(reply.status).toBe(200)
      app.clock.forward({ ms: 5000 })
      expect(await deliver(hook)).toMatchObject({ status: 401 })
    }
  })
})

it('starts the version that is live when it comes', async () => {
  const hook = await makeHook()
  const { graph } = (await ana.get(`${base}/${hook.workflowId}`)).body
  await ana.put(`${base}/${hook.workflowId}`, { graph: { ...graph, nodes: graph.nodes.slice(0, 1), edges: [] } })
  const versionOf = async () => {
    const [decision] = await decisionsOf((await deliver(hook)).body.event_id, hook.workflowId)
    return (await finished(ana, decision?.runId ?? '')).version
  }
  expect(await versionOf()).toBe(1)
  await publishWorkflow(ana, hook.workflowId)
  expect(await versionOf()).toBe(2)
})

describe('what a webhook can be told', () => {
  const hmacHeaders = (secret: string, body: string) => ({
    'content-type': 'application/json',
    'x-shop': createHmac('sha256', secret).update(body).digest('base64'),
  })

  it('takes the secret of its sender, has a filter, and shows query and headers without credentials', async () => {
    const hook = await makeHook({
      scheme: 'hmac',
      signature_header: 'X-Shop',
      secret: 'secret-of-the-shop',
      include_request: true,
      filter_expr: 'payload["query"]["kind"] == "order" # orders only',
    })
    expect(hook.secret).toBeUndefined()
    const send = (query: string, body: string) =>
      app.anonymous.send('POST', `${new URL(hook.url).pathname}?${query}`, {
        headers: {
          ...hmacHeaders('secret-of-the-shop', body),
          'x-request-source': 'shop',
          cookie: 'session=hidden',
          'x-access-token': 'hidden',
          'x-svc-event-chain': sealChain(sealer, { runId: randomUUID(), hop: 1, chain: [], rootEventId: null }),
        },
        body,
      })
    const reply = await send('kind=order&tag=a&tag=b&token=hidden', '{"n":1}')
    expect(reply.status).toBe(202)
    const { payload } = await eventOf(reply.body.event_id)
    expect(payload).toMatchObject({ body: { n: 1 }, query: { kind: 'order', tag: ['a', 'b'] } })
    expect(payload).toMatchObject({ headers: { 'x-request-source': 'shop', 'content-type': 'application/json' } })
    expect(JSON.stringify(payload)).not.toMatch(/hidden|x-shop|event-chain/)
    expect(await decisionsOf(reply.body.event_id, hook.workflowId)).toMatchObject([{ decision: 'fired' }])
    const other = await send('kind=visit', '{"n":2}')
    expect(await decisionsOf(other.body.event_id, hook.workflowId)).toMatchObject([{ decision: 'filter_false' }])
    const bad = await ana.patch(hook.path, { filter_expr: 'True) or (True' })
    expect(bad).toMatchObject({ status: 422, body: { code: 'filter_invalid' } })
    expect((await ana.patch(hook.path, { filter_expr: null, secret: 'another-secret' })).body.secret).toBeUndefined()
    await until(async () => (await post(hook.url, hmacHeaders('another-secret', '{"n":3}'), '{"n":3}')).status === 202)
  })

  it('takes any query: question marks in values, names that every object has, and a character cut in two', async () => {
    const hook = await makeHook({
      scheme: 'hmac',
      signature_header: 'X-Shop',
      secret: 'any-query',
      include_request: true,
    })
    const query = `next=/cart?item=7&toString=1&valueOf=a&valueOf=b&long=${'a'.repeat(1999)}%F0%9F%98%80`
    const reply = await app.anonymous.send('POST', `${new URL(hook.url).pathname}?${query}`, {
      headers: hmacHeaders('any-query', '{}'),
      body: '{}',
    })
    expect(reply).toMatchObject({ status: 202 })
    const { payload } = await eventOf(reply.body.event_id)
    const plain = { next: '/cart?item=7', toString: '1', valueOf: ['a', 'b'] }
    expect((payload as { query: unknown }).query).toEqual({ ...plain, long: `${'a'.repeat(1999)}\ufffd` })
  })

  it('answers the challenge of Slack, and needs the secret that Slack shows', async () => {
    const { id } = await makePublished(ana)
    const path = `${base}/${id}/triggers/webhook`
    expect(await ana.post(path, { name: 'Slack', scheme: 'slack' })).toMatchObject({ status: 422 })
    const { body: hook } = await ana.post(path, { name: 'Slack', scheme: 'slack', secret: 'slack-secret' })
    const body = '{"type":"url_verification","challenge":"are you there"}'
    const time = String(Math.floor(app.clock.now().getTime() / 1000))
    const mac = createHmac('sha256', 'slack-secret').update(`v0:${time}:${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-slack-request-timestamp': time }
    const reply = await post(hook.url, { ...headers, 'x-slack-signature': `v0=${mac}` }, body)
    expect(reply).toMatchObject({ status: 200, body: { challenge: 'are you there' } })
    expect(await post(hook.url, { ...headers, 'x-slack-signature': `v0=${mac}` }, '{}')).toMatchObject({ status: 401 })
    // One of our making is none that Slack signs with: a day later nothing of Slack's would be accepted.
    const rotated = await ana.patch(`${base}/${id}/triggers/${hook.id}`, { rotate_secret: true })
    expect(rotated).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const replaced = await ana.patch(`${base}/${id}/triggers/${hook.id}`, {
      rotate_secret: true,
      secret: 'slack-secret-2',
    })
    expect(replaced.body.old_secret_ends_at).toEqual(expect.any(Number))
  })

  it('replies with the output of its run, or with its id when that takes longer', async () => {
    const hookOf = async (answering: GraphNode, answer_sec: number) => {
      const { id } = await makePublished(ana, { nodes: [answering], edges: [] })
      return (await ana.post(`${base}/${id}/triggers/webhook`, { name: 'Asks', answer_sec })).body
    }
    const slow = deliver(await hookOf(node('wait', { seconds: 600 }, 'wait'), 1))
    const quick = await hookOf(node('sum', { fields: { sum: 'event["payload"]["a"] + 1' } }), 60)
    const message = { id: randomUUID(), body: '{"a":1}' }
    expect(await deliver(quick, message)).toMatchObject({ status: 200, body: { sum: 2 } })
    expect(await deliver(quick, message)).toMatchObject({ status: 200, body: { sum: 2 } })
    expect(await deliver(quick, { body: '{}' })).toMatchObject({ status: 502, body: { code: 'webhook_run_failed' } })
    expect(await slow).toMatchObject({ status: 202, body: { duplicate: false, run_id: expect.any(String) } })
  })

  it('replies at once when nothing will be started because its filter was paused', async () => {
    const hook = await makeHook({ filter_expr: 'sum(1 for a in range(200) for b in range(200)) > 1', answer_sec: 60 })
    const isPaused = async () =>
      (
        await app.db.selectFrom('subscriptions').select('pausedAt').where('workflowId', '=', hook.workflowId).execute()
      ).every(({ pausedAt }) => pausedAt !== null)
    await until(async () => (await deliver(hook)).status === 202 && (await isPaused()))
    expect(await deliver(hook)).toMatchObject({ status: 202, body: { duplicate: false, run_id: null } })
    const shown = async () => (await ana.get(`${base}/${hook.workflowId}/triggers`)).body.items[0]
    expect(await shown()).toMatchObject({
      kind: 'webhook',
      paused_at: expect.any(Number),
      paused_reason: expect.stringContaining('LimitExceeded'),
    })
    expect((await ana.patch(hook.path, {})).body.paused_at).toEqual(expect.any(Number))
    expect((await ana.patch(hook.path, { include_request: true })).body).toMatchObject({ paused_at: null })
    expect(await shown()).toMatchObject({ paused_at: null, paused_reason: null })
  })

  it('has a filter of as many characters as any other', async () => {
    const long = `True${' '.repeat(1992)}and`
    const hook = await makeHook({ filter_expr: `${long.slice(0, 1995)} or 1` })
    expect(await ana.patch(hook.path, { filter_expr: `"${'x'.repeat(1998)}"` })).toMatchObject({ status: 200 })
    expect((await ana.patch(hook.path, { filter_expr: `"${'x'.repeat(1999)}"` })).status).toBe(422)
  })
})
