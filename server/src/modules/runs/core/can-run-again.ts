/**
 * Decides if a node may run again after a crash that left its result unknown (P3). A node with side effects may only if
 * it may be retried: `max_attempts: 1` means at most once. Pure.
 */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { kindOf } from '#modules/workflow-graph/index.ts'
import { maxAttempts, type RetryRule } from './backoff.ts'

export const canRunAgain = (
  { type, config }: Pick<GraphNode, 'type' | 'config'>,
  rule: RetryRule | undefined,
): boolean => maxAttempts(rule) > 1 || !kindOf(type).hasSideEffects?.(config)
