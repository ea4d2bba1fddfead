/**
 * A published event in traces: the top of the trace in which its runs are seen, or a part of the run that published it.
 * The request that published it has a trace of its own, and the two have links to each other: thousands of events may
 * come in one request, and its caller decides nothing about the traces of their runs.
 */
import type { Kernel } from '#kernel/kernel.ts'
import { activeSpan } from '#kernel/spans/span.ts'
import { spanIdOf, traceIdOf } from '#kernel/spans/trace-context.ts'
import type { PublishedEvent } from './interface.ts'
import type { DraftedEvent } from './queries/events.ts'

export const tracePublished = (
  { traces }: Pick<Kernel, 'traces'>,
  drafts: readonly DraftedEvent[],
  published: readonly PublishedEvent[],
): void => {
  if (!traces.isOn) return
  const cause = activeSpan()
  for (const [index, draft] of drafts.entries()) {
    if (published[index]?.duplicate !== false) continue
    const { eventId, rootEventId, causationRunId } = draft
    const isRoot = rootEventId === eventId
    const span = traces.begin('publish event', {
      kind: 'producer',
      traceId: traceIdOf(rootEventId),
      spanId: spanIdOf(eventId),
      parentSpanId: isRoot || causationRunId === null ? undefined : spanIdOf(causationRunId),
    })
    span?.set({
      'messaging.operation.type': 'send',
      'messaging.message.id': eventId,
      'chancery.event.type': draft.eventType,
    })
    span?.link(cause?.context)
    cause?.link(span?.context)
    span?.end()
  }
}
