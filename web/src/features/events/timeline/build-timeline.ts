/**
 * One process as a nested list: events in time order, below each its decisions, below a decision the run it started,
 * below a run its steps and the events it published. The indentation shows what caused what.
 */
import type { Delivery, ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { ListedRun, RunStepHead } from '@chancery/contract/workflows/runs.ts'

interface Facts {
  key: string
  /** Milliseconds. */
  at: number
}
type Moment = Facts &
  (
    | { kind: 'event'; event: ListedEvent }
    | { kind: 'decision'; delivery: Delivery }
    | { kind: 'run'; run: ListedRun }
    | { kind: 'step'; run: ListedRun; step: RunStepHead }
  )
/** With its indentation depth. */
export type TimelineRow = Moment & { depth: number }

export interface ProcessFacts {
  events: readonly ListedEvent[]
  deliveries: readonly Delivery[]
  runs: readonly ListedRun[]
}

export function buildTimeline(facts: ProcessFacts): TimelineRow[] {
  const links = linksOf(facts)
  const rows: TimelineRow[] = []
  /** Already listed: circular references must not loop forever. */
  const listed = new Set<string>()
  const tell = (moment: Moment, depth: number) => {
    if (listed.has(moment.key)) return
    listed.add(moment.key)
    rows.push({ ...moment, depth })
    for (const caused of causedBy(moment, links)) tell(caused, depth + 1)
  }
  for (const first of firstsOf(facts, links)) tell(first, 0)
  return rows
}

const linksOf = ({ events, deliveries, runs }: ProcessFacts) => ({
  runById: new Map(runs.map((run) => [run.id, run])),
  eventIds: new Set(events.map(({ event_id }) => event_id)),
  firedRuns: new Set(deliveries.filter(hasFired).map(({ run_id }) => run_id)),
  decidedFor: Map.groupBy(deliveries, ({ event_id }) => event_id),
  publishedBy: Map.groupBy(events, ({ causation_run_id }) => causation_run_id),
  startedBy: Map.groupBy(runs, parentOf),
})
type Links = ReturnType<typeof linksOf>

function causedBy(moment: Moment, links: Links): Moment[] {
  switch (moment.kind) {
    case 'event':
      return (links.decidedFor.get(moment.event.event_id) ?? []).map(asDecision)
    case 'decision': {
      const run = hasFired(moment.delivery) ? links.runById.get(moment.delivery.run_id ?? '') : undefined
      return run ? [asRun(run)] : []
    }
    case 'run': {
      const { run } = moment
      return inOrder([
        ...(run.steps ?? []).filter(isOwn).map((step) => asStep(run, step)),
        ...(links.publishedBy.get(run.id) ?? []).map(asEvent),
        ...(links.startedBy.get(run.id) ?? []).map(asRun),
      ])
    }
    case 'step':
      return []
  }
}

/** Items that nothing else in the process caused. */
const firstsOf = ({ events, runs }: ProcessFacts, { runById, firedRuns, eventIds }: Links): Moment[] => {
  const isCaused = (run: ListedRun) =>
    runById.has(parentOf(run) ?? '') || (firedRuns.has(run.id) && eventIds.has(run.event_id ?? ''))
  return inOrder([
    ...events.filter(({ causation_run_id: cause }) => !runById.has(cause ?? '')).map(asEvent),
    ...runs.filter((run) => !isCaused(run)).map(asRun),
  ])
}

export const startOf = (run: ListedRun): number => run.started_at_ms ?? run.created_at * 1000
const hasFired = ({ decision }: Delivery): boolean => decision === 'fired'

const asEvent = (event: ListedEvent): Moment => ({
  kind: 'event',
  key: event.event_id,
  at: event.published_at,
  event,
})
const asDecision = (delivery: Delivery): Moment => ({
  kind: 'decision',
  key: `${delivery.event_id} ${delivery.subscription_id}`,
  at: delivery.decided_at,
  delivery,
})
const asRun = (run: ListedRun): Moment => ({ kind: 'run', key: run.id, at: startOf(run), run })
const asStep = (run: ListedRun, step: RunStepHead): Moment => ({
  kind: 'step',
  key: step.id,
  at: startOf(run) + step.offset_ms,
  run,
  step,
})

/** A retry is nested under the run it retries; a child run under the run whose node started it. */
const parentOf = (run: ListedRun): string | null => run.retry_of ?? run.parent_run_id

/** Reused steps belong to the earlier run. */
const isOwn = (step: RunStepHead): boolean => step.offset_ms >= 0 && step.status !== 'skipped'

const inOrder = <Item extends { at: number }>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => one.at - other.at)

/** The summary of a process, in one line. */
export function summarise({ events, runs }: Pick<ProcessFacts, 'events' | 'runs'>) {
  const starts = [...events.map(({ published_at }) => published_at), ...runs.map(startOf)]
  const ends = [...starts, ...runs.map((run) => startOf(run) + (run.duration_ms ?? 0))]
  return {
    beganAt: starts.length === 0 ? undefined : Math.min(...starts),
    tookMs: starts.length === 0 ? 0 : Math.max(...ends) - Math.min(...starts),
    isUnderWay: runs.some(({ status }) => status === 'queued' || status === 'running' || status === 'waiting'),
    failures: runs.filter(({ status }) => status === 'failed' || status === 'timed_out').length,
  }
}
