/** People of other tenants, and what they notice: seen from outside, through both nodes by turns. */
import { sendForm } from '../../server/test/harness/signing.ts'
import { type Account, expectOk } from '../accounts.ts'
import type { Victim } from './measure.ts'
import type { VictimName } from './roads/road.ts'
import { chainVictim, codeVictim, runVictim } from './run-victims.ts'
import { type Surroundings, sealVictim } from './seal-victim.ts'

const chatVictim = (who: Account): Victim => ({
  name: 'chat',
  everyMs: 250,
  probe: async () => {
    const messages = [{ role: 'user', content: 'hello there' }]
    const reply = who.post('/api/chat/completions', { model: 'swift', stream: true, messages })
    const text = ((await reply).text ?? '') as string
    if (!text.includes('Fine.') || !text.includes('[DONE]')) throw new Error(`no answer: ${text.slice(0, 200)}`)
  },
})

const pages = [
  '/health',
  '/api/v1/agent-workflows',
  '/api/v1/events?limit=20',
  '/api/v1/agent-runs?limit=20',
  '/api/v1/chats/',
  '/api/auth/me',
]

const pagesVictim = (who: Account): Victim => {
  let turn = 0
  return {
    name: 'pages',
    everyMs: 100,
    probe: async () => {
      turn += 1
      const page = pages[turn % pages.length] ?? ''
      await expectOk(page, who.get(page))
    },
  }
}

const uploadVictim = (who: Account): Victim => ({
  name: 'upload',
  everyMs: 1500,
  probe: async () => {
    const files = [{ name: 'notes.txt', bytes: Buffer.from('Some words about ships and harbours. '.repeat(50)) }]
    const { data } = await expectOk(
      'the upload',
      sendForm(who, '/api/v1/files/?process_in_background=false', { files }),
    )
    if (data.status !== 'completed') throw new Error(`the file is ${data.status}: ${data.error}`)
  },
})

/** Each makes its own account, when the first road asks for it. */
export const createVictims = (newAccount: () => Promise<Account>, surroundings: Surroundings) => {
  const makers: Record<VictimName, (who: Account) => Victim | Promise<Victim>> = {
    run: runVictim,
    chat: chatVictim,
    pages: pagesVictim,
    code: codeVictim,
    chain: chainVictim,
    upload: uploadVictim,
    seal: (who) => sealVictim(who, surroundings),
  }
  const made = new Map<VictimName, Promise<Victim>>()
  return async (name: VictimName): Promise<Victim> => {
    const known = made.get(name) ?? newAccount().then((who) => makers[name](who))
    made.set(name, known)
    return known
  }
}
