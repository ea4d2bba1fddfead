/** Somebody whose documents are signed, and who waits for the seal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { documentsPath, makePdf, sendDraft } from '../../server/test/harness/signing.ts'
import { type Account, expectOk, somebodyAt } from './accounts.ts'
import type { Victim } from './measure.ts'

const pollMs = 25

export interface Surroundings {
  addresses: readonly string[]
  linkTo(email: string): Promise<string>
}

/** Documents that lack only the last click of their signer; the probe is from there to the sealed document. */
export const sealVictim = (who: Account, { addresses, linkTo }: Surroundings): Victim => {
  const ready: { id: string; complete: () => Promise<unknown> }[] = []
  let signers = 0
  const makeOne = async (): Promise<void> => {
    const document = await sendDraft(who, { files: [{ name: 'lease.pdf', bytes: makePdf() }] })
    const link = await linkTo(document.recipients[0]?.email ?? '')
    signers += 1
    const signer = somebodyAt(addresses, `10.70.${signers >> 8}.${signers & 255}`)
    const path = `/api/public/sign/${link.split('/').at(-1)}`
    await expectOk('opening', signer.post(`${path}/open`))
    await signer.get(`${path}/file`)
    await expectOk('consent', signer.post(`${path}/consent`, { accepted: true }))
    const { fields } = await expectOk('the page', signer.get(path))
    const values = (fields as { id: string }[]).map(({ id }) => ({ fieldId: id, value: { typed: 'Sam Signer' } }))
    await expectOk('the fields', signer.put(`${path}/fields`, values))
    ready.push({ id: document.id, complete: () => expectOk('completing', signer.post(`${path}/complete`)) })
  }
  return {
    name: 'seal',
    everyMs: 3000,
    prepare: async (probes) => {
      while (ready.length < probes) await makeOne()
    },
    probe: async () => {
      const next = ready.pop()
      if (!next) throw new Error('nothing is left to sign')
      await next.complete()
      for (;;) {
        const { state } = await expectOk('the document', who.get(`${documentsPath}/${next.id}`))
        if (state === 'COMPLETED') return
        if (state !== 'SEALING') throw new Error(`the document is ${state}`)
        await sleep(pollMs)
      }
    },
  }
}
