import { documentsPath, makeDraft, sendDraft } from '../../../server/test/harness/signing.ts'
import { flood, type Road } from './road.ts'

/** At the defaults: three to one recipient, and twenty in all from a sender whose address isn't proven. */
const mostToOne = 3
const mostInAll = 20

export const mails: Road = {
  name: 'mails',
  rows: '12',
  what: 'reminders, resends and documents to a hundred people from an account with an unproven address',
  prepare: async ({ db, newAttacker }) => {
    const eve = await newAttacker({ isProven: false })
    const part = `.${eve.id}@example.test`
    const { id, recipients } = await sendDraft(eve, { recipients: [{ email: `victim${part}` }] })
    const path = `${documentsPath}/${id}`
    const attacks = [
      () => eve.post(`${path}/remind`),
      () => eve.post(`${path}/recipients/${recipients[0]?.id}/resend`),
      async (turn: number) => {
        const crowd = Array.from({ length: 100 }, (_, at) => ({ email: `p${turn}x${at}${part}` }))
        const draft = await makeDraft(eve, { recipients: crowd })
        return eve.post(`${documentsPath}/${draft.id}/send`)
      },
    ]
    return {
      run: (signal) =>
        flood(signal, 6, (turn) => (attacks[turn % attacks.length] ?? attacks[0])?.(turn) as Promise<unknown>),
      findBreaches: async () => {
        const sent = await db
          .selectFrom('mailOutbox')
          .select('recipient')
          .where('recipient', 'like', `%${part}`)
          .execute()
        const toOne = sent.filter(({ recipient }) => recipient.startsWith('victim')).length
        return [
          ...(toOne > mostToOne ? [`${toOne} emails to one recipient`] : []),
          ...(sent.length > mostInAll ? [`${sent.length} emails from one account`] : []),
        ]
      },
    }
  },
}
