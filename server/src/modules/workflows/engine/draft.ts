/** One change of a run on its way to the database, gathered from whatever happened since the last. */
import { causeOf, chainThrough } from './cause.ts'
import type { EngineContext } from './context.ts'
import { draftRun } from './create-runs.ts'
import { deriveEventId } from './derive-event-id.ts'
import type { RunChange } from './group-writer.ts'
import type { Done, Waiting } from './node-face.ts'
import type { StepDraft } from './queries/commit.ts'
import type { RunRow, StepRow } from './queries/runs.ts'
import { storable } from './storable-json.ts'

export interface Draft extends RunChange {
  /** Nodes that begin once this is kept. */
  begins: StepRow[]
}

export const newDraft = (run: RunRow): Draft => ({
  run: {
    ...{ id: run.id, epoch: run.epoch, status: null, outputJson: 'null', error: null, wakeAt: null },
    ...{ nudges: run.nudges, ...spentOf(run), finishedAt: null },
  },
  ...{ steps: [], events: [], approvals: [], waits: [], children: [], endsFor: null, begins: [] },
})

/** What of a run is spent while it goes, and written with every change. */
export const spentOf = ({ promptTokens, completionTokens, cost, currency, hasUnpriced }: RunRow) => ({
  ...{ promptTokens, completionTokens, cost, currency, hasUnpriced },
})

/** Whether it says no more than that nodes begin: nothing that they depend on is at stake. */
export const isOnlyBeginning = ({ steps, run, children }: Draft): boolean =>
  run.status === null && children.length === 0 && steps.every(({ status }) => status === 'running')

export const addStep = (draft: Draft, step: StepRow): void => {
  const { input, output, revision: _revision, ...rest } = step
  const written: StepDraft = { ...rest, inputJson: storable(input).json, outputJson: storable(output).json }
  const before = draft.steps.findIndex(({ id }) => id === step.id)
  if (before < 0) draft.steps.push(written)
  else draft.steps[before] = written
}

/** Under ids that are the same however often the node is run. */
export const addEvents = (draft: Draft, run: RunRow, nodeId: string, { events = [] }: Done): void => {
  for (const [place, { eventType, payload, correlationId }] of events.entries()) {
    const eventId = deriveEventId({ runId: run.id, nodeId, place })
    draft.events.push({
      ...{ eventId, eventType, payload, scopeId: run.scopeId, userId: run.userId },
      source: `workflow:${run.workflowId}`,
      correlationId: correlationId || run.correlationId,
      cause: causeOf(run),
    })
  }
}

/** What a node waits for, in the tables where it will arrive. */
export const addWait = (
  draft: Draft,
  context: EngineContext,
  run: RunRow,
  { step, wait }: { step: StepRow; wait: Waiting },
) => {
  const { clock } = context.kernel
  const { id: runId, scopeId, workflowId, workflowName, correlationId } = run
  const at = clock.now()
  if (wait.event)
    draft.waits.push({
      ...{ stepId: step.id, runId, scopeId, correlationId, createdAt: at, event: null, arrivedAt: null, ...wait.event },
    })
  if (wait.approval) {
    const { title, message, approvers, deadlineAt, addresses } = wait.approval
    const row = {
      stepId: step.id,
      runId,
      workflowId,
      scopeId,
      title,
      message,
      approvers: [...approvers],
      askedAt: at,
      deadlineAt,
    }
    draft.approvals.push({ row, workflowName, addresses })
  }
  for (const { live, place, input } of wait.children ?? [])
    draft.children.push(
      draftRun(context.kernel, {
        live,
        ...{
          trigger: { kind: 'subworkflow', id: null },
          input: { input: storable(input).value },
          eventId: run.eventId,
        },
        ...{ correlationId, isOnePerCorrelation: false, userId: run.userId, catalogId: run.catalogId },
        ...{ spaceId: run.spaceId, parent: { runId, step: `${step.nodeId}#${place}` } },
        cause: { hop: run.hop + 1, chain: chainThrough(run), rootEventId: run.rootEventId },
      }),
    )
}
