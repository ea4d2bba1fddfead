/** Which moves a document's state allows. One conditional UPDATE carries each of them out. Pure. */
import type { DocumentState } from '@chancery/contract/signing/signing.ts'

export const moves = {
  send: { from: ['DRAFT'], to: 'SENT' },
  seal: { from: ['SENT'], to: 'SEALING' },
  complete: { from: ['SEALING'], to: 'COMPLETED' },
  failSeal: { from: ['SEALING'], to: 'SEAL_FAILED' },
  retrySeal: { from: ['SEAL_FAILED'], to: 'SEALING' },
  decline: { from: ['SENT'], to: 'DECLINED' },
  cancel: { from: ['SENT', 'SEAL_FAILED'], to: 'CANCELLED' },
  expire: { from: ['SENT'], to: 'EXPIRED' },
} as const satisfies Record<string, { from: readonly DocumentState[]; to: DocumentState }>

export type Move = keyof typeof moves

export const canMove = (state: DocumentState, move: Move): boolean =>
  (moves[move].from as readonly DocumentState[]).includes(state)

/** Nothing leads out of these. */
export const isFinal = (state: DocumentState): boolean =>
  Object.values(moves).every(({ from }) => !(from as readonly DocumentState[]).includes(state))
