/** The calls of one run to models, tools and other servers. Each has a time limit and can be aborted. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { orAborted } from '#kernel/or-aborted.ts'
import { isUserFacing, NodeFailure } from '../core/backoff.ts'
import type { StepRow } from '../queries/steps.ts'
import type { NodeResult } from '../shared/node-interface.ts'
import { callNode } from './call-node.ts'
import type { RunSession } from './run-session.ts'

const defaultLimitMs = 600_000

export type CallEnd = { step: StepRow } & ({ result: NodeResult } | { problem: unknown })

export interface ExternalCalls {
  start(step: StepRow): void
  has(nodeId: string): boolean
  steps(): StepRow[]
  /** Removes a call that has ended. False for one that was aborted meanwhile: its result is ignored. */
  settle(step: StepRow): boolean
  abortAll(): void
}

export const createExternalCalls = (session: RunSession, onEnd: (end: CallEnd) => void): ExternalCalls => {
  const { log, tasks } = session.context.kernel
  const active = new Map<string, { step: StepRow; abort: AbortController }>()

  const call = async (step: StepRow, abort: AbortController): Promise<void> => {
    try {
      // Secrets are opened for this one call: a graph in memory keeps them sealed.
      const node = session.pinned.open(step.nodeId) as GraphNode
      const result = await withLimit(limitOf(node), abort, async (signal) => {
        await session.redactor.open()
        return callNode(session, node, { step, signal, waiting: undefined })
      })
      onEnd({ step, result })
    } catch (problem) {
      if (!isUserFacing(problem) && !abort.signal.aborted)
        log.warn({ err: problem, run: step.runId, node: step.nodeId }, 'A node of a run failed.')
      onEnd({ step, problem })
    }
  }
  return {
    start: (step) => {
      const abort = new AbortController()
      active.set(step.nodeId, { step, abort })
      tasks.run('workflows.node', () => call(step, abort))
    },
    has: (nodeId) => active.has(nodeId),
    steps: () => [...active.values()].map(({ step }) => step),
    settle: (step) => active.get(step.nodeId)?.step === step && active.delete(step.nodeId),
    abortAll: () => {
      for (const { abort } of active.values()) abort.abort()
      active.clear()
    },
  }
}

const limitOf = ({ config }: GraphNode): number =>
  typeof config.timeout_sec === 'number' ? config.timeout_sec * 1000 : defaultLimitMs

/** A node may ignore its signal; waiting for it ends all the same. */
const withLimit = async <Result>(
  limitMs: number,
  abort: AbortController,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const late = new NodeFailure(`The node took longer than ${Math.round(limitMs / 1000)} seconds.`, { canRetry: true })
  const timer = setTimeout(() => abort.abort(late), limitMs)
  timer.unref()
  try {
    return await orAborted(call(abort.signal), abort.signal)
  } finally {
    clearTimeout(timer)
  }
}
