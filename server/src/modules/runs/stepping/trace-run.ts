/**
 * A run in traces. Its trace is that of the event at its root, known to every server from the ids in the run's row, so
 * what several of them do for one event is one trace.
 */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { inSpan } from '#kernel/spans/span.ts'
import { spanIdOf } from '#kernel/spans/trace-context.ts'
import type { StepRow } from '../queries/steps.ts'
import { traceOf } from '../shared/trace-of.ts'
import type { ChangeDraft } from './run-change.ts'
import type { RunSession } from './run-session.ts'

type Result<Outcome> = Outcome | Promise<Outcome>

export const inNodeSpan = <Outcome>(
  { context, run }: RunSession,
  { node, step }: { node: GraphNode; step: StepRow },
  work: () => Result<Outcome>,
): Result<Outcome> => {
  const span = context.kernel.traces.begin(`node ${node.type}`, {
    kind: 'internal',
    traceId: traceOf(run),
    parentSpanId: spanIdOf(run.id),
  })
  if (!span) return work()
  span.set({
    'chancery.node.type': node.type,
    'chancery.node.id': node.id,
    'chancery.run.id': run.id,
    'chancery.workflow.id': run.workflowId,
    'chancery.attempt': step.attempt,
  })
  const fail = (problem: unknown): never => {
    span.end({ problem })
    throw problem
  }
  const done = (outcome: Outcome): Outcome => {
    span.end()
    return outcome
  }
  try {
    const outcome = inSpan(span, work)
    return outcome instanceof Promise ? outcome.then(done, fail) : done(outcome)
  } catch (problem) {
    return fail(problem)
  }
}

/** From its creation to its end, whoever held it meanwhile. Of a run that others end, only the nodes are seen. */
export const traceEnd = ({ context, run }: RunSession, { run: { status, finishedAt } }: ChangeDraft): void => {
  if (!finishedAt) return
  const above = run.parentRunId ?? run.eventId
  const span = context.kernel.traces.begin('run', {
    kind: run.eventId === null ? 'internal' : 'consumer',
    traceId: traceOf(run),
    spanId: spanIdOf(run.id),
    parentSpanId: above === null ? undefined : spanIdOf(above),
    startedAtMs: run.createdAt.getTime(),
  })
  span?.set({
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.workflow.name': run.workflowName,
    'chancery.run.id': run.id,
    'chancery.workflow.id': run.workflowId,
    'chancery.workflow.version': run.version,
    'chancery.trigger': run.triggerKind,
    'chancery.event.id': run.eventId,
  })
  span?.end({ endedAtMs: finishedAt.getTime(), ...(status === 'failed' && { problem: 'failed' }) })
}
