/** One tool, without a model. */
import type { NodeKind } from './kind.ts'

export const tool: NodeKind<'tool'> = {
  texts: ['arguments'],
  isOutward: true,
  isCall: true,
  hasSideEffects: () => true,
  tools: ({ tool: id }) => (typeof id === 'string' ? [id.split('/', 1)[0] ?? ''] : []),
}
