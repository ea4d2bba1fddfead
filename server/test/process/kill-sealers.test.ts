/**
 * A death between every two steps from the last signature to the mail: one seal, one file, one mail to everybody. What
 * happens before the transaction leaves only a claim and a staged file, so kill -9 comes in it and after it.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { expireSealLease } from '#test/harness/leases.ts'
import { documentsPath, getDocument, sendDraft, type Visitor, visitorsOf } from '#test/harness/signing.ts'
import { until } from '#test/kernel/until.ts'
import { startRevocation, startTimestampAuthority } from '#test/peers/openssl.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { tempFolder } from './temp-folder.ts'

const program = fileURLToPath(new URL('dying-sealer.ts', import.meta.url))
const settings = { PORT: '0', HOST: '127.0.0.1', SMTP_HOST: '127.0.0.1', SVC_ROLE: 'api', LOG_LEVEL: 'silent' }

it('a document is sealed once, although the sealer dies at each step', { timeout: 240_000 }, async () => {
  const { host, peer } = await startRevocation()
  const env = {
    SVC_DATA_DIR: await tempFolder(),
    SIGNING_PEM_PATH: peer.path('ec.pem'),
    SIGNING_TSA_URL: (await startTimestampAuthority(peer)).url,
    OUTBOUND_ALLOWED_HOSTS: host,
  }
  // This node takes signatures and sends mail, and dies each time it would seal.
  let deadly = 'seal: claimed'
  let isDead = false
  const hit = (point: string) => {
    isDead ||= point === deadly
    if (isDead && point.startsWith('seal:')) throw new Error('died')
  }
  const app = await testApp({ env, failpoints: { hit } })
  const ana = await app.user()
  const sent = await sendDraft(ana)
  const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
  await visitor.sign()
  const job = app.ports.signing.jobs?.find(({ name }) => name === 'signing.seal')
  const context = { jobId: 'by hand', attempt: 2, signal: AbortSignal.timeout(60_000), log: createLog('silent') }
  const work = async () => job?.work({ documentId: sent.id }, context)
  /** The job in the queue may be the first to find the expired lease; then this one is refused and tries again. */
  const dieAt = async (point: string) => {
    deadly = point
    isDead = false
    await until(async () => {
      await expireSealLease(app.db, sent.id)
      await work().catch(() => undefined)
      return isDead
    }, point)
  }
  const killAt = (point: string) => {
    const config = JSON.stringify({ ...settings, ...env, SMTP_PORT: String(app.smtp.port) })
    const args = [program, app.databaseUrl, config, sent.id, point]
    return promisify(execFile)(process.execPath, args).then(
      () => 'finished',
      ({ signal }) => signal ?? 'refused',
    )
  }
  const lettersAbout = () => app.lettersTo(visitor.email).filter(({ subject }) => subject.startsWith('Completed'))
  const stateOf = async () => (await getDocument(ana, sent.id)).state
  for (const point of ['seal: signed', 'seal: extended', 'seal: staged']) {
    await dieAt(point)
    expect(await stateOf(), point).toBe('SEALING')
  }
  expect(await killAt('seal: mailed')).toBe('SIGKILL')
  expect(await stateOf()).toBe('SEALING')
  expect(await killAt('seal: committed')).toBe('SIGKILL')
  const { state, seal: sealed } = await getDocument(ana, sent.id)
  expect(state).toBe('COMPLETED')
  // The job that was enqueued with the last signature finds nothing left to do.
  await work()

  const { body: audit } = await ana.get(`${documentsPath}/${sent.id}/audit`)
  expect(audit.valid).toBe(true)
  const types = audit.entries.map(({ type }: { type: string }) => type)
  for (const once of ['signed', 'sealed', 'completed'])
    expect(types.filter((type: string) => type === once)).toEqual([once])
  const reply = await fetch(`${app.url}${documentsPath}/${sent.id}/file?version=sealed`, { headers: bearer(ana.token) })
  const file = Buffer.from(await reply.bytes())
  expect(sealed).toMatchObject({ level: 'B-LT', sha256: createHash('sha256').update(file).digest('hex') })
  expect(startPoppler().pdfsig(file)).toContain('Signature is Valid.')
  await expect.poll(() => lettersAbout().length).toBe(1)
})
