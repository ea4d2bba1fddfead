/**
 * Opening a recipient's page (GET /api/public/sign/{token}: facts, recipients and fields of the document), compared with
 * an authenticated GET /api/auth/me of the same server. Limit: at most twice the time. The two take turns, one request
 * at a time, so that a busy moment of the machine meets both. A link that is opened for the first time is compared with a
 * key that is used for the first time: the server remembers neither, and asks the database for both.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../server/test/harness/client.ts'
import { sendDraft } from '../../server/test/harness/signing.ts'
import { type SmtpPeer, startSmtp } from '../../server/test/peers/smtp.ts'
import { signUp } from '../lib/person.ts'
import { type BenchServer, startServer } from '../lib/server.ts'

const warmUps = 5000
const rounds = 3000
const limitRatio = 2
/** Links and keys that are used once, so that nothing is remembered of them. A person may make 60 keys an hour. */
const firstRounds = 50

/** The mailed link, as a recipient gets it. */
const tokenFor = async ({ mails }: SmtpPeer, email: string): Promise<string> => {
  for (;;) {
    const mail = mails.find(({ recipients }) => recipients.includes(email))
    const token = /\/sign\/([0-9a-f-]{36})/.exec(mail?.text ?? '')?.[1]
    if (token) return token
    await sleep(50)
  }
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

/** From a new address each time: the page has a rate limit. */
let calls = 0
const timed = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  calls += 1
  const from = { 'x-forwarded-for': `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}` }
  const started = performance.now()
  const reply = await fetch(url, { headers: { ...headers, ...from } })
  await reply.arrayBuffer()
  if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}`)
  return performance.now() - started
}

/** The processor time of a request in the server: a busy machine makes it wait, but does not add to this. */
const costOf = async ({ processorMs }: BenchServer, call: () => Promise<unknown>): Promise<number> => {
  const before = processorMs()
  for (let round = 0; round < rounds; round += 1) await call()
  return (processorMs() - before) / rounds
}

export const run = async (): Promise<void> => {
  const smtp = await startSmtp()
  const mail = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) }
  const server = await startServer({ ...mail, TRUSTED_PROXIES: '127.0.0.1' })
  const { token } = await signUp(server.url)
  const headers = { authorization: `Bearer ${token}` }
  const email = 'recipient@example.test'
  const owner = createClient(server.url, headers)
  await sendDraft(owner, { recipients: [{ email }] })
  const others: string[] = []
  for (let count = 0; count < firstRounds; count += 1) {
    const other = `recipient.${count}@example.test`
    await sendDraft(owner, { recipients: [{ email: other }] })
    others.push(`${server.url}/api/public/sign/${await tokenFor(smtp, other)}`)
  }
  const keys: string[] = []
  for (let count = 0; count < firstRounds; count += 1) {
    const { body } = await owner.post('/api/v1/api-keys', { name: `key ${count}` })
    keys.push(body.key)
  }
  const page = `${server.url}/api/public/sign/${await tokenFor(smtp, email)}`
  const me = `${server.url}/api/auth/me`
  const times = { me: [] as number[], page: [] as number[] }
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const took = { me: await timed(me, headers), page: await timed(page) }
    if (round < warmUps) continue
    times.me.push(took.me)
    times.page.push(took.page)
  }
  const first = { me: [] as number[], page: [] as number[] }
  for (const [index, link] of others.entries()) {
    first.me.push(await timed(me, { authorization: `Bearer ${keys[index]}` }))
    first.page.push(await timed(link))
  }
  const [firstBase, firstOwn] = [median(first.me), median(first.page)]
  const [base, own] = [median(times.me), median(times.page)]
  console.log(`GET /api/auth/me      ${base.toFixed(2)} ms`)
  console.log(`the recipient's page  ${own.toFixed(2)} ms`)
  console.log(`ratio ${(own / base).toFixed(2)} (limit ${limitRatio})`)
  console.log(`a key's first time    ${firstBase.toFixed(2)} ms`)
  console.log(
    `a link's first time   ${firstOwn.toFixed(2)} ms, ratio ${(firstOwn / firstBase).toFixed(2)} (limit ${limitRatio})`,
  )
  const cost = { me: await costOf(server, () => timed(me, headers)), page: await costOf(server, () => timed(page)) }
  console.log(
    `processor time of the server: ${cost.me.toFixed(2)} and ${cost.page.toFixed(2)} ms, ratio ${(cost.page / cost.me).toFixed(2)}`,
  )
  await server.stop()
  await smtp.close()
}
