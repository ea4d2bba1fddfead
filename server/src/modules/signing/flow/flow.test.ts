import { DocumentState, RecipientRole } from '@chancery/contract/signing/signing.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canMove, isFinal, type Move, moves } from './moves.ts'
import { type FlowRecipient, isOpen, mustAct } from './states.ts'
import { currentOrder, dueForNotice, refusalToComplete, stateAfterAction } from './turns.ts'

const sent = { state: 'SENT' } as const
const recipients = fc
  .array(fc.record({ role: fc.constantFrom(...RecipientRole.options), order: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((list) => list.map((item, index): FlowRecipient => ({ id: `r${index}`, state: 'PENDING', ...item })))
  .filter((list) => list.some(mustAct))

/** Plays a document to its end: each step notifies who is due, then one of those who may complete does. */
const play = (start: readonly FlowRecipient[], choose: (count: number) => number) => {
  let current = [...start]
  const signed: FlowRecipient[] = []
  for (let step = 0; step < 50; step += 1) {
    const due = new Set(dueForNotice(current).map(({ id }) => id))
    current = current.map((one) => (due.has(one.id) ? { ...one, state: 'NOTIFIED' } : one))
    const able = current.filter((one) => refusalToComplete(sent, one, current) === undefined)
    const next = able[choose(able.length)]
    if (!next) break
    expect(next.state).toBe('NOTIFIED')
    signed.push(next)
    current = current.map((one) => (one.id === next.id ? { ...one, state: 'SIGNED' } : one))
    if (stateAfterAction(current) === 'SEALING') break
  }
  return { current, signed }
}

describe('the order of recipients', () => {
  it('lets everybody who must act do so exactly once, group after group, in any order within a group', () => {
    fc.assert(
      fc.property(recipients, fc.infiniteStream(fc.nat()), (list, choices) => {
        const { current, signed } = play(list, (count) => (count === 0 ? -1 : (choices.next().value as number) % count))
        expect(stateAfterAction(current)).toBe('SEALING')
        expect(signed.map(({ id }) => id).toSorted()).toEqual(
          list
            .filter(mustAct)
            .map(({ id }) => id)
            .toSorted(),
        )
        const orders = signed.map(({ order }) => order)
        expect(orders).toEqual(orders.toSorted((a, b) => a - b))
      }),
    )
  })

  it('never asks somebody of a later group before every earlier one has acted', () => {
    fc.assert(
      fc.property(recipients, (list) => {
        const current = currentOrder(list) ?? 0
        for (const due of dueForNotice(list)) expect(due.order).toBeLessThanOrEqual(current)
      }),
    )
  })

  it('sends no link to CC, and lets viewers hold nothing up', () => {
    const list: FlowRecipient[] = [
      { id: 'viewer', role: 'VIEWER', order: 1, state: 'PENDING' },
      { id: 'signer', role: 'SIGNER', order: 2, state: 'PENDING' },
      { id: 'copy', role: 'CC', order: 1, state: 'PENDING' },
      { id: 'late viewer', role: 'VIEWER', order: 3, state: 'PENDING' },
    ]
    expect(dueForNotice(list).map(({ id }) => id)).toEqual(['viewer', 'signer'])
    expect(refusalToComplete(sent, list[0] as FlowRecipient, list)).toBe('nothing_to_sign')
    const done = list.map((one): FlowRecipient => (one.id === 'signer' ? { ...one, state: 'SIGNED' } : one))
    expect(stateAfterAction(done)).toBe('SEALING')
  })

  it('is over for everybody once one has declined', () => {
    const list: FlowRecipient[] = [
      { id: 'a', role: 'SIGNER', order: 1, state: 'DECLINED' },
      { id: 'b', role: 'SIGNER', order: 1, state: 'OPENED' },
    ]
    expect(stateAfterAction(list)).toBe('DECLINED')
    expect(refusalToComplete({ state: 'DECLINED' }, list[1] as FlowRecipient, list)).toBe('finished')
  })

  it('skips a recipient who was replaced', () => {
    const list: FlowRecipient[] = [
      { id: 'old', role: 'SIGNER', order: 1, state: 'REPLACED' },
      { id: 'new', role: 'SIGNER', order: 1, state: 'NOTIFIED' },
    ]
    expect(refusalToComplete(sent, list[0] as FlowRecipient, list)).toBe('replaced')
    expect(refusalToComplete(sent, list[1] as FlowRecipient, list)).toBeUndefined()
    expect(list.filter(isOpen)).toHaveLength(1)
  })
})

describe('the states of a document', () => {
  it.each(DocumentState.options)('%s allows only moves that the table names', (state) => {
    const allowed = (Object.keys(moves) as Move[]).filter((move) => canMove(state, move))
    if (isFinal(state)) expect(allowed).toEqual([])
    for (const move of allowed) expect(moves[move].from).toContain(state)
  })

  it('end in completed, declined, cancelled or expired, and nowhere else', () => {
    expect(DocumentState.options.filter(isFinal)).toEqual(['COMPLETED', 'DECLINED', 'CANCELLED', 'EXPIRED'])
  })
})
