/** The process dies between every pair of steps from the last signature to the last mail. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { expireSealLease } from '#test/harness/leases.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath as base,
  getDocument,
  sendDraft,
  type Visitor,
  visitorsOf,
  visitorWith,
} from '#test/harness/signing.ts'

const victim = createVictim()
// Two nodes have one store of blobs.
const env = { SVC_DATA_DIR: await mkdtemp(join(tmpdir(), 'chancery-sealers-')) }
const app = await testApp({ env, failpoints: victim })
afterAll(() => rm(env.SVC_DATA_DIR, { recursive: true, force: true }))
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner' })
})

/** Sealing and its sweep, run by hand like a worker that came back. */
const run = async (name: string, data: object = {}, on: TestApp = app) => {
  const job = on.ports.signing.jobs?.find((one) => one.name === name)
  await job?.work(data, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
}
const typesOf = async (id: string): Promise<string[]> => {
  const { body } = await ana.get(`${base}/${id}/audit`)
  expect(body.valid).toBe(true)
  return body.entries.map(({ type }: { type: string }) => type)
}
const lettersAbout = (email: string) => app.lettersTo(email).filter(({ subject }) => subject.startsWith('Completed'))

describe('a crash', () => {
  it.each(['seal: claimed', 'seal: staged', 'seal: stored', 'seal: mailed', 'blob: stored'])(
    'at "%s" is followed by one seal, one file and one mail to everybody',
    // The first one also waits for the child to start.
    { timeout: 120_000 },
    async (point) => {
      const sent = await sendDraft(ana, { title: `Contract ${point}` })
      const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
      victim.dieAt(point)
      await visitor.sign()
      await expect.poll(() => victim.isDead, { timeout: 20_000 }).toBe(true)
      victim.revive()
      await expireSealLease(app.db, sent.id)
      await run('signing.time')
      const state = async () => (await getDocument(ana, sent.id)).state
      await expect.poll(state, { timeout: 30_000 }).toBe('COMPLETED')
      const types = await typesOf(sent.id)
      for (const once of ['signed', 'sealed', 'completed'])
        expect(types.filter((type) => type === once)).toHaveLength(1)
      await expect.poll(() => lettersAbout(visitor.email).length, { timeout: 10_000 }).toBe(1)
      expect((await visitor.get(`${visitor.path}/download`)).status).toBe(200)
    },
  )

  it('while a signature is stored leaves nothing of it, and the retry signs once', async () => {
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    victim.dieAt('signing: signed')
    expect((await visitor.sign()).status).toBe(500)
    victim.revive()
    expect((await getDocument(ana, sent.id)).recipients[0]?.state).toBe('OPENED')
    expect((await visitor.post(`${visitor.path}/complete`)).status).toBe(200)
    expect((await typesOf(sent.id)).filter((type) => type === 'signed')).toHaveLength(1)
  })
})

describe('a seal that fails', () => {
  it('because a stored byte changed is shown with its reason, and retried from the right bytes (A58)', async () => {
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    const own = () => app.db.selectFrom('signingFiles').select('originalId').where('documentId', '=', sent.id)
    const { sha256 } = await app.db
      .selectFrom('signingOriginals')
      .select('sha256')
      .where('id', 'in', own())
      .executeTakeFirstOrThrow()
    const setHash = (hash: string) =>
      app.db.updateTable('signingOriginals').set({ sha256: hash }).where('id', 'in', own()).execute()
    await setHash('0'.repeat(64))
    await visitor.sign()
    const state = async () => (await getDocument(ana, sent.id)).state
    await expect.poll(state, { timeout: 20_000 }).toBe('SEAL_FAILED')
    expect((await getDocument(ana, sent.id)).sealError).toContain('has changed since it was uploaded')
    await setHash(sha256)
    const retried = await ana.post(`${base}/${sent.id}/retry-seal`)
    expect(retried.status).toBe(200)
    await expect.poll(state, { timeout: 20_000 }).toBe('COMPLETED')
    expect((await ana.post(`${base}/${sent.id}/retry-seal`)).body.code).toBe('seal_not_failed')
    expect(await typesOf(sent.id)).toEqual(expect.arrayContaining(['seal_failed', 'seal_retried', 'sealed']))
  })
})

describe('two nodes', () => {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const hit = async (point: string) => {
    if (point !== 'seal: staged') return
    reached.resolve()
    await released.promise
  }
  let slow: TestApp
  beforeAll(async () => {
    slow = await testApp({ env: { ...env, SVC_ROLE: 'api' }, databaseUrl: app.databaseUrl, failpoints: { hit } })
  })

  it('make one seal: the one whose claim was taken over while it worked changes nothing', async () => {
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    victim.dieAt('seal: claimed')
    await visitor.sign()
    await expect.poll(() => victim.isDead).toBe(true)
    victim.revive()
    const data = { documentId: sent.id }
    await expireSealLease(app.db, sent.id)
    const overtaken = run('signing.seal', data, slow)
    await reached.promise
    app.clock.forward({ minutes: 10 })
    await expect(run('signing.seal', data)).rejects.toThrow('Another worker')
    await expireSealLease(app.db, sent.id)
    await run('signing.seal', data)
    const before = await getDocument(ana, sent.id)
    expect(before.state).toBe('COMPLETED')
    released.resolve()
    await overtaken
    expect(await getDocument(ana, sent.id)).toEqual(before)
    expect((await typesOf(sent.id)).filter((type) => type === 'sealed')).toHaveLength(1)
    expect((await visitor.get(`${visitor.path}/download`)).status).toBe(200)
    await expect.poll(() => lettersAbout(visitor.email).length).toBe(1)
  })

  it('lose a claim with the process that held it: a seal goes on at once, and by itself when a node starts', async () => {
    const hang = {
      hit: (point: string) => (point === 'seal: claimed' ? new Promise<void>(() => undefined) : undefined),
    }
    const node = (more: object) => testApp({ env: { ...env, SVC_ROLE: 'api' }, databaseUrl: app.databaseUrl, ...more })
    const dying = await node({ failpoints: hang })
    const abandon = async (): Promise<string> => {
      const sent = await sendDraft(ana)
      const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
      victim.dieAt('seal: claimed')
      await visitor.sign()
      await expect.poll(() => victim.isDead).toBe(true)
      victim.revive()
      await app.db
        .updateTable('signingDocuments')
        .set({ sealLeaseUntil: null, sealEpoch: 0 })
        .where('id', '=', sent.id)
        .execute()
      void run('signing.seal', { documentId: sent.id }, dying)
      const claims = app.db.selectFrom('signingDocuments').select('sealEpoch').where('id', '=', sent.id)
      await expect.poll(async () => (await claims.executeTakeFirst())?.sealEpoch).toBe(1)
      await expect(run('signing.seal', { documentId: sent.id })).rejects.toThrow('Another worker')
      return sent.id
    }
    const [first, second] = [await abandon(), await abandon()]
    await dying.stop()
    // PostgreSQL ends a closed connection's process in its own time.
    await expect
      .poll(() => run('signing.seal', { documentId: first }).catch(String), { timeout: 8_000 })
      .toBeUndefined()
    expect((await getDocument(ana, first)).state).toBe('COMPLETED')
    await node({})
    await expect.poll(async () => (await getDocument(ana, second)).state, { timeout: 8_000 }).toBe('COMPLETED')
  })

  it('close a document for its recipients when one of them cancels it', async () => {
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    const stateAt = async (node: TestApp) => (await visitorWith(node, visitor.token).read()).body.document.state
    expect([await stateAt(app), await stateAt(slow)]).toEqual(['SENT', 'SENT'])
    // The other node's cached page would now last for a day: only the signal can end it.
    slow.clock.forward({ days: -1 })
    expect(await stateAt(slow)).toBe('SENT')
    await ana.post(`${base}/${sent.id}/cancel`)
    expect(await stateAt(app)).toBe('CANCELLED')
    await expect.poll(() => stateAt(slow)).toBe('CANCELLED')
  })
})
