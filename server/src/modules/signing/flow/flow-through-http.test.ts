/** The rules of order, driven through HTTP: for any recipients and any order of actions, the server agrees with the core. */
import { RecipientRole } from '@chancery/contract/signing/signing.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'
import { documentsPath as base, getDocument, sendDraft, type Visitor, visitorOf } from '#test/harness/signing.ts'
import { type FlowRecipient, mustAct } from './states.ts'
import { currentOrder, refusalToComplete, stateAfterAction } from './turns.ts'

const app = await sharedApp()
const ana = await app.user({ name: 'Ana Owner' })

const recipients = fc
  .array(fc.record({ role: fc.constantFrom(...RecipientRole.options), order: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .filter((list) => list.some(mustAct))

const flowOf = async (id: string): Promise<FlowRecipient[]> => (await getDocument(ana, id)).recipients

/** Everybody who has a link tries, in the given order; those whose turn it is not are refused as the core says. */
const play = async (
  id: string,
  choices: readonly number[],
  isAllowed: (one: FlowRecipient) => boolean = () => true,
) => {
  const visitors = new Map<string, Visitor>()
  for (let round = 0; round < 12; round += 1) {
    const before = await getDocument(ana, id)
    const flow: FlowRecipient[] = before.recipients
    if (before.state !== 'SENT') return
    const invited = before.recipients.filter((one) => one.state !== 'PENDING' && isAllowed(one))
    const chosen = invited[(choices[round % choices.length] ?? 0) % invited.length] ?? invited[0]
    const acting = chosen?.state === 'SIGNED' ? invited.find((one) => one.state !== 'SIGNED' && mustAct(one)) : chosen
    if (!acting) throw new Error('nobody can act, but the document is not finished')
    const visitor = visitors.get(acting.id) ?? (await visitorOf(app, acting.email))
    visitors.set(acting.id, visitor)
    const refusal = refusalToComplete({ state: before.state }, acting, flow)
    const reply = await visitor.sign()
    expect({ refused: reply.status !== 200, round }).toEqual({ refused: refusal !== undefined, round })
    const after = await flowOf(id)
    const current = currentOrder(after)
    for (const one of after)
      if (one.state === 'PENDING' && one.role !== 'CC') expect(one.order).toBeGreaterThan(current ?? 0)
    const { state } = await getDocument(ana, id)
    expect(stateAfterAction(after) === 'SENT').toBe(state === 'SENT')
  }
}

describe('the order of recipients, through HTTP', () => {
  it('ends in one sealed document for any roles, any order and anybody who acts first', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(recipients, fc.array(fc.nat(9), { minLength: 3, maxLength: 6 }), async (list, choices) => {
        const { id } = await sendDraft(ana, { recipients: list, settings: { signingOrder: 'SEQUENTIAL' } })
        await play(id, choices)
        await play(id, [0], (one) => mustAct(one) && one.state !== 'SIGNED')
        await expect.poll(async () => (await getDocument(ana, id)).state, { timeout: 20_000 }).toBe('COMPLETED')
        const { body } = await ana.get(`${base}/${id}/audit`)
        expect(body.valid).toBe(true)
        const signed = body.entries.filter(({ type }: { type: string }) => type === 'signed')
        expect(signed).toHaveLength(list.filter(mustAct).length)
      }),
      { numRuns: 3 },
    )
  })
})
