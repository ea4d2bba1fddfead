/**
 * Whether a node may run again after a crash that left its result unknown (P3). A node with side effects may only if it
 * may be retried: `max_attempts: 1` means at most once. Pure.
 */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { maxAttempts, type RetryRule } from './backoff.ts'

type Configured = Pick<GraphNode, 'type' | 'config'>

export const canRunAgain = (node: Configured, rule: RetryRule | undefined): boolean =>
  maxAttempts(rule) > 1 || !hasSideEffects(node)

/** Reading has none, nor does calling a model; the events of an agent are published with its step. */
const hasSideEffects = ({ type, config }: Configured): boolean => {
  if (type === 'http_request') return (config.method ?? 'GET') !== 'GET'
  if (type !== 'agent') return type === 'tool'
  return Array.isArray(config.tools) && config.tools.some((name) => name !== 'emit_event')
}
