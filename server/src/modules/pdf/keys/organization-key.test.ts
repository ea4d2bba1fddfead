/** An organization's own sealing key: who may set it, what is refused, and what it seals. */
import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { plainPdf } from '#test/harness/pdfs.ts'
import { startSealDesk } from '#test/harness/seals.ts'
import { startOpenssl } from '#test/peers/openssl.ts'
import { expiresInDays } from './seal-keys.ts'

const openssl = startOpenssl()
const app = await testApp()
const boss = await app.user({ org: 'sealing' })
const stranger = await app.user({ org: 'elsewhere' })
const path = '/api/org/signing-certificate'
const pem = String(openssl.read('ec.pem'))
const { databaseUrl, clock } = app
const desk = await startSealDesk({}, { databaseUrl, clock, dataDir: openssl.path('blobs') })
const signerFor = async (organizationId: string | null): Promise<string> =>
  (await desk.work.seal({ ...(await desk.request([await plainPdf()])), organizationId })).signer

describe("an organization's sealing key", () => {
  it('seals its documents from the moment it is saved, and nobody else’s', async () => {
    expect(await boss.get('/api/signing/certificate')).toMatchObject({
      status: 200,
      body: { owner: 'instance', isSelfMade: true, expiresInDays: null },
    })
    expect(await boss.put(path, { pem })).toMatchObject({
      status: 200,
      body: { owner: 'organization', subject: 'CN=ec', issuer: 'CN=A test CA', isSelfMade: false },
    })
    expect((await stranger.get('/api/signing/certificate')).body.owner).toBe('instance')
    const { organizationId } = (await boss.get('/api/auth/me')).body
    expect(await signerFor(organizationId)).toBe('CN=ec')
    expect(await signerFor(null)).not.toBe('CN=ec')

    expect((await boss.delete(path)).status).toBe(204)
    expect(await signerFor(organizationId)).not.toBe('CN=ec')
    expect((await boss.delete(path)).status).toBe(404)
  })

  it('is not taken for the service’s own, since the organization chose the names in it', async () => {
    await boss.put(path, { pem })
    const { organizationId } = (await boss.get('/api/auth/me')).body
    const request = { ...(await desk.request([await plainPdf()])), organizationId }
    const [theirs, ours] = [await desk.work.seal(request), await desk.work.seal({ ...request, organizationId: null })]
    await boss.delete(path)
    const verify = async (blobId: string) => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(await desk.read(blobId))]), 'a.pdf')
      return (await fetch(`${desk.door.url}/api/public/verify`, { method: 'POST', body: form })).json()
    }
    const isIntact = { valid: true, intact: true, sealedHere: true, documentId: request.documentId }
    expect(await verify(theirs.blobId)).toMatchObject({
      ...isIntact,
      trusted: false,
      signatures: [{ trustedBy: null }],
    })
    expect(await verify(ours.blobId)).toMatchObject({ ...isIntact, signatures: [{ trustedBy: 'this_service' }] })
  })

  it('is stored encrypted and never shown', async () => {
    const { text } = await boss.put(path, { pem })
    expect(text).not.toContain('PRIVATE KEY')
    const rows = await app.db.selectFrom('organizationSealKeys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY')
  })

  it.each([
    ['has no key', () => String(openssl.read('ec.crt')), 'no private key'],
    ['has no certificate', () => String(openssl.read('ec.key')), 'no certificate'],
    [
      'has the key of another certificate',
      () => `${openssl.read('ec.key')}${openssl.read('rsa.crt')}`,
      'does not belong',
    ],
    ['is nothing of the kind', () => 'hello', 'no certificate'],
  ])('is refused with the reason when its file %s', async (_name, file, reason) => {
    const reply = await boss.put(path, { pem: file() })
    expect(reply).toMatchObject({ status: 422, body: { code: 'seal_key_refused' } })
    expect(reply.text).toContain(reason)
  })

  it('is for administrators of the organization alone', async () => {
    const loner = await app.user()
    for (const status of [(await loner.put(path, { pem })).status, (await loner.delete(path)).status])
      expect(status).toBe(403)
    expect((await app.newcomer().put(path, { pem })).status).toBe(401)
  })

  // The last test: it moves the clock by eight years.
  it('is told of from sixty days before its certificate expires, and seals nothing after it', async () => {
    await boss.put(path, { pem })
    const { organizationId } = (await boss.get('/api/auth/me')).body
    const key = { certificate: new X509Certificate(openssl.read('ec.crt')) }
    const daysFrom = (days: number) => expiresInDays(key, new Date(app.clock.now().getTime() + days * 86_400_000))
    expect([daysFrom(2_900), daysFrom(2_950), daysFrom(3_010)]).toEqual([null, 49, -11])
    app.clock.forward({ days: 3_010 })
    await expect(signerFor(organizationId)).rejects.toMatchObject({ code: 'seal_key_unusable' })
  })
})
