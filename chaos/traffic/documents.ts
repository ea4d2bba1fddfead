/** Documents that are sent, signed by their recipient and sealed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../server/src/kernel/db/database.ts'
import type { Client, Reply } from '../../server/test/harness/client.ts'
import { documentsPath, makeDraft, makePdf } from '../../server/test/harness/signing.ts'
import { expectOk } from '../accounts.ts'

interface Surroundings {
  /** A recipient, somewhere else than all others. */
  newSigner(): Client
  linkTo(email: string): Promise<string>
}

interface Ready {
  id: string
  complete(): Promise<Reply>
}

/** A document that lacks only the last click of its signer. */
export const prepareToSign = async (owner: Client, { newSigner, linkTo }: Surroundings): Promise<Ready> => {
  const { id, recipients } = await makeDraft(owner, { files: [{ name: 'lease.pdf', bytes: makePdf() }] })
  const sent = await owner.post(`${documentsPath}/${id}/send`)
  // An attempt whose answer was lost may have sent it.
  if (sent.status !== 409) await expectOk('sending', Promise.resolve(sent))
  const link = await linkTo(recipients[0]?.email ?? '')
  const signer = newSigner()
  const path = `/api/public/sign/${link.split('/').at(-1)}`
  await expectOk('opening', signer.post(`${path}/open`))
  await signer.get(`${path}/file`)
  await expectOk('consent', signer.post(`${path}/consent`, { accepted: true }))
  const { fields } = await expectOk('the page', signer.get(path))
  const values = (fields as { id: string }[]).map((field) => ({ fieldId: field.id, value: { typed: 'Sam Signer' } }))
  await expectOk('the fields', signer.put(`${path}/fields`, values))
  return { id, complete: () => signer.post(`${path}/complete`) }
}

const pollMs = 250
const everyMs = 1500
/** For a seal that is tried again. */
const patienceMs = 120_000

interface Signing extends Surroundings {
  isOver(): boolean
  onFailed(why: string): void
}

/** Resolves with the ids of all documents whose last click was accepted. */
export const sign = async (owner: Client, { isOver, onFailed, ...surroundings }: Signing): Promise<string[]> => {
  const accepted: string[] = []
  while (!isOver()) {
    const ready = await prepareToSign(owner, surroundings).catch((problem: Error) => onFailed(`a document: ${problem}`))
    if (!ready) continue
    const { id, complete } = ready
    const { status, text } = await complete()
    const read = async (): Promise<string> => (await owner.get(`${documentsPath}/${id}`)).body.state
    let state = await read()
    if (status >= 300 && !['SEALING', 'COMPLETED'].includes(state)) throw new Error(`completing: ${status} ${text}`)
    accepted.push(id)
    const untilMs = performance.now() + patienceMs
    while (state !== 'COMPLETED' && performance.now() < untilMs) {
      await sleep(pollMs)
      state = await read()
    }
    await sleep(everyMs)
  }
  return accepted
}

/** What happens once to each document. */
const onceEach = ['sent', 'signed', 'sealed', 'completed']

export const checkDocuments = async (db: Db, accepted: readonly string[]): Promise<Map<string, unknown[]>> => {
  const { rows } = await sql<{ id: string; state: string; entries: Record<string, number> }>`
    select d.id, d.state, (select coalesce(json_object_agg(type, count), '{}') from (
        select type, count(*)::int as count from signing_audit where document_id = d.id group by type) as each) as entries
    from signing_documents d where d.id = any(${accepted}::uuid[])`.execute(db)
  const isWhole = ({ state, entries }: (typeof rows)[number]): boolean =>
    state === 'COMPLETED' && onceEach.every((type) => entries[type] === 1)
  const known = new Set(rows.map(({ id }) => id))
  return new Map<string, unknown[]>([
    ['a document that was lost', accepted.filter((id) => !known.has(id))],
    ['a signed document that was not sealed exactly once', rows.filter((row) => !isWhole(row))],
  ])
}
