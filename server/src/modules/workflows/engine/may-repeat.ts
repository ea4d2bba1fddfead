/**
 * Whether a node may be done again after a crash that left its outcome unknown (P3). What changes something in the
 * world outside may only if it may be retried: `max_attempts: 1` means once at most. Pure.
 */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { mostAttempts, type RetryRule } from './backoff.ts'

type Configured = Pick<GraphNode, 'type' | 'config'>

export const mayRepeat = (node: Configured, rule: RetryRule | undefined): boolean =>
  mostAttempts(rule) > 1 || !reachesOut(node)

/** Reading changes nothing there, nor does asking a model; what an agent emits is published with its step. */
const reachesOut = ({ type, config }: Configured): boolean => {
  if (type === 'http_request') return (config.method ?? 'GET') !== 'GET'
  if (type !== 'agent') return type === 'tool'
  return Array.isArray(config.tools) && config.tools.some((name) => name !== 'emit_event')
}
