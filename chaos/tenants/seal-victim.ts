/** Somebody whose documents are signed, and who waits for the seal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { documentsPath } from '../../server/test/harness/signing.ts'
import { type Account, expectOk, somebodyAt } from '../accounts.ts'
import { prepareToSign } from '../traffic/documents.ts'
import type { Victim } from './measure.ts'

const pollMs = 25

export interface Surroundings {
  addresses: readonly string[]
  linkTo(email: string): Promise<string>
}

/** Documents that lack only the last click of their signer; the probe is from there to the sealed document. */
export const sealVictim = (who: Account, { addresses, linkTo }: Surroundings): Victim => {
  const ready: Awaited<ReturnType<typeof prepareToSign>>[] = []
  let signers = 0
  const newSigner = () => {
    signers += 1
    return somebodyAt(addresses, `10.70.${signers >> 8}.${signers & 255}`)
  }
  return {
    name: 'seal',
    everyMs: 3000,
    prepare: async (probes) => {
      while (ready.length < probes) ready.push(await prepareToSign(who, { newSigner, linkTo }))
    },
    probe: async () => {
      const next = ready.pop()
      if (!next) throw new Error('nothing is left to sign')
      await expectOk('completing', next.complete())
      for (;;) {
        const { state } = await expectOk('the document', who.get(`${documentsPath}/${next.id}`))
        if (state === 'COMPLETED') return
        if (state !== 'SEALING') throw new Error(`the document is ${state}`)
        await sleep(pollMs)
      }
    },
  }
}
