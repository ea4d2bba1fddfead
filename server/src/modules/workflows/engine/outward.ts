/** The nodes of one run that are at work outside: models, tools, other servers. Each has a time limit and can be cut short. */
import type { GraphNode, NodeType } from '@chancery/contract/workflow-graph.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { isExplained, NodeFailure } from './backoff.ts'
import type { PinnedGraph } from './graphs.ts'
import type { NodeResult } from './node-face.ts'
import type { StepRow } from './queries/runs.ts'
import type { Steps } from './steps.ts'

/** Those that reach out of the house, or may take long. All others are done on the way. */
const outward: ReadonlySet<NodeType> = new Set(['agent', 'tool', 'http_request'])
const usualLimitMs = 600_000

export const isOutward = ({ type }: GraphNode): boolean => outward.has(type)

export type Ending = { step: StepRow } & ({ result: NodeResult } | { problem: unknown })

interface Options {
  kernel: Pick<Kernel, 'log' | 'tasks'>
  pinned: PinnedGraph
  steps: Pick<Steps, 'call'>
  onEnd(ending: Ending): void
}

export const createOutward = ({ kernel: { log, tasks }, pinned, steps, onEnd }: Options) => {
  const active = new Map<string, { step: StepRow; cut: AbortController }>()

  const work = async (step: StepRow, cut: AbortController): Promise<void> => {
    try {
      // Opened for this one call: the secrets of a graph are not kept in the clear.
      const node = pinned.open(step.nodeId) as GraphNode
      const result = await within(limitOf(node), cut, (signal) =>
        steps.call(node, { step, signal, waiting: undefined }),
      )
      onEnd({ step, result })
    } catch (problem) {
      if (!isExplained(problem) && !cut.signal.aborted)
        log.warn({ err: problem, run: step.runId, node: step.nodeId }, 'A node of a run failed.')
      onEnd({ step, problem })
    }
  }
  return {
    begin: (step: StepRow): void => {
      const cut = new AbortController()
      active.set(step.nodeId, { step, cut })
      tasks.run('workflows.node', () => work(step, cut))
    },
    has: (nodeId: string): boolean => active.has(nodeId),
    steps: (): StepRow[] => [...active.values()].map(({ step }) => step),
    /** False for an end that nobody waits for any more. */
    settle: (step: StepRow): boolean => active.get(step.nodeId)?.step === step && active.delete(step.nodeId),
    cutAll: (): void => {
      for (const { cut } of active.values()) cut.abort()
      active.clear()
    },
  }
}

const limitOf = ({ config }: GraphNode): number =>
  typeof config.timeout_sec === 'number' ? config.timeout_sec * 1000 : usualLimitMs

/** A node may ignore its signal; the wait for it ends all the same. */
const within = async <Result>(
  limitMs: number,
  cut: AbortController,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> => {
  const { promise: cutShort, reject } = Promise.withResolvers<never>()
  cut.signal.addEventListener('abort', () => reject(cut.signal.reason), { once: true })
  const late = new NodeFailure(`The node took longer than ${Math.round(limitMs / 1000)} seconds.`, { canRetry: true })
  const timer = setTimeout(() => cut.abort(late), limitMs)
  timer.unref()
  try {
    return await Promise.race([work(cut.signal), cutShort])
  } finally {
    clearTimeout(timer)
  }
}
