/** Sends a document to people and waits until it is signed. */
import type { NodeKind } from './kind.ts'

export const signature: NodeKind<'signature'> = {
  texts: ['title', 'recipients', 'values', 'folder'],
  isOutward: true,
  isCall: false,
  refersTo: { kind: 'template', field: 'template_id' },
  waitField: () => 'expires_sec',
}
