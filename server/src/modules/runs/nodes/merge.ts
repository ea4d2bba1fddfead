/** Joins branches: all of them by the ids of their last nodes, or the first. When it runs is up to `core/plan.ts`. */
import type { ConfigOf, Executor } from '../shared/node-interface.ts'

export const merge: Executor<ConfigOf<'merge'>> = ({ config, input }) => {
  if (config.mode !== 'any') return { kind: 'done', output: input }
  const [first] = Object.entries((input ?? {}) as Record<string, unknown>)
  return { kind: 'done', output: { branch: first?.[0] ?? null, output: first?.[1] ?? null } }
}
