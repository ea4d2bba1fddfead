/** One change of a run on its way to the database, collected from everything that happened since the last one. */

import type { RunRow } from '../queries/runs.ts'
import { type StepWrite, spendingOf } from '../queries/save-runs.ts'
import type { StepRow } from '../queries/steps.ts'
import { causeOf, chainThrough } from '../shared/cause.ts'
import type { RunsContext } from '../shared/context.ts'
import { buildRetry, buildRun, rootOf } from '../shared/create-runs.ts'
import type { NewRun } from '../shared/new-run.ts'
import type { AskedApproval, Done, Waiting } from '../shared/node-interface.ts'
import { storable } from '../shared/storable-json.ts'
import { deriveEventId } from './derive-event-id.ts'
import type { RunChange } from './group-writer.ts'

export interface ChangeDraft extends RunChange {
  /** External calls that start once this is saved. */
  starts: StepRow[]
}

export const newChange = (run: RunRow): ChangeDraft => ({
  run: {
    id: run.id,
    epoch: run.epoch,
    status: null,
    outputJson: 'null',
    error: null,
    wakeAt: null,
    hasProgress: false,
    stopsDeadline: false,
    nudges: run.nudges,
    ...spendingOf(run),
    finishedAt: null,
  },
  steps: [],
  trace: [],
  events: [],
  approvals: [],
  waits: [],
  children: [],
  takeovers: [],
  endsChildren: false,
  endsFor: null,
  starts: [],
})

export const isEmpty = ({ steps, trace, children, run }: ChangeDraft): boolean =>
  steps.length === 0 && trace.length === 0 && children.length === 0 && run.status === null

/** True when it records no more than that nodes start: nothing they depend on is at stake. */
export const isOnlyStarts = ({ steps, run, children }: ChangeDraft): boolean =>
  run.status === null && children.length === 0 && steps.every(({ status }) => status === 'running')

/** Ends the run with this change. Its parent is told in the same transaction, and children of a failed run end in it. */
export const endRun = (
  change: ChangeDraft,
  run: RunRow,
  end: Pick<ChangeDraft['run'], 'status' | 'finishedAt'>,
): void => {
  Object.assign(change.run, end)
  change.endsFor = run.parentRunId
  change.endsChildren = end.status === 'failed'
}

export const addStep = (change: ChangeDraft, step: StepRow): void => {
  const { input, output, revision: _revision, ...rest } = step
  const written: StepWrite = { ...rest, inputJson: storable(input).json, outputJson: storable(output).json }
  const before = change.steps.findIndex(({ id }) => id === step.id)
  // The start of an attempt, and one that was cut short, are none.
  if (step.status !== 'running' && step.status !== 'cancelled') change.run.hasProgress = true
  if (before < 0) change.steps.push(written)
  else change.steps[before] = written
}

/** Under ids that stay the same however often the node runs. */
export const addEvents = (
  change: ChangeDraft,
  run: RunRow,
  { nodeId, result: { events = [] } }: { nodeId: string; result: Done },
): void => {
  for (const [index, { eventType, payload, correlationId }] of events.entries())
    change.events.push({
      eventId: deriveEventId({ runId: run.id, nodeId, index }),
      eventType,
      payload,
      scopeId: run.scopeId,
      userId: run.userId,
      source: `workflow:${run.workflowId}`,
      correlationId: correlationId || run.correlationId,
      cause: causeOf(run),
    })
}

interface NewWait {
  context: Pick<RunsContext, 'kernel'>
  run: RunRow
  step: StepRow
  wait: Waiting
}

/** Adds what a node waits for, as rows in the tables where it will arrive. */
export const addWait = (change: ChangeDraft, { context: { kernel }, run, step, wait }: NewWait): void => {
  const now = kernel.clock.now()
  if (wait.event)
    change.waits.push({
      ...wait.event,
      stepId: step.id,
      runId: run.id,
      scopeId: run.scopeId,
      correlationId: run.correlationId,
      createdAt: now,
      event: null,
      arrivedAt: null,
    })
  if (wait.approval) change.approvals.push(approvalOf(run, step, { asked: wait.approval, now }))
  for (const child of wait.children ?? []) {
    const parent = { runId: run.id, step: `${step.nodeId}#${child.index}`, rootId: rootOf(run) }
    if ('retry' in child) {
      const retry = buildRetry(kernel, child.retry, parent)
      change.children.push(retry)
      change.takeovers.push({ from: child.retry.id, to: retry.id })
    } else change.children.push(buildRun(kernel, childOf(run, { ...child, parent })))
  }
}

const approvalOf = (run: RunRow, step: StepRow, { asked, now }: { asked: AskedApproval; now: Date }) => ({
  row: {
    stepId: step.id,
    runId: run.id,
    workflowId: run.workflowId,
    workflowName: run.workflowName,
    scopeId: run.scopeId,
    title: asked.title,
    message: asked.message,
    approvers: [...asked.approvers],
    askedAt: now,
    deadlineAt: asked.deadlineAt,
  },
  addresses: asked.addresses,
})

const childOf = (
  run: RunRow,
  { live, input, parent }: Pick<NewRun, 'live' | 'parent'> & { input: unknown },
): NewRun => ({
  live,
  parent,
  trigger: { kind: 'subworkflow', id: null },
  input: { input: storable(input).value },
  eventId: run.eventId,
  correlationId: run.correlationId,
  isOnePerCorrelation: false,
  userId: run.userId,
  allowedRoutes: run.allowedRoutes,
  catalogId: run.catalogId,
  spaceId: run.spaceId,
  cause: { hop: run.hop + 1, chain: chainThrough(run), rootEventId: run.rootEventId },
})
