/** Publishing events, listing and following them; starting workflows and following their runs. */
import { followEvents, ingestEvent, listEvents } from '../../../contract/src/endpoints/events.ts'
import { followRun, listRuns, startRun } from '../../../contract/src/endpoints/runs.ts'
import { example, sample } from './example.ts'

const event = {
  event_id: sample.event,
  event_type: 'order_received',
  source: 'shop',
  correlation_id: 'order-4711',
} as const

const listed = {
  ...event,
  user_id: sample.user,
  payload: { order: 4711, total: 129.5 },
  published_at: sample.milliseconds,
  seq: 90_210,
  causation_run_id: null,
} as const

const run = {
  id: sample.run,
  workflow_id: sample.workflow,
  workflow_name: 'Check an order',
  version_id: sample.version,
  version: 3,
  status: 'queued',
  trigger: 'manual',
  is_test: false,
  user_id: sample.user,
  acts_for: { kind: 'person', id: sample.user, name: 'Ada Byron' },
  event_id: null,
  correlation_id: null,
  error: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  cost: null,
  cost_is_partial: false,
  currency: null,
  created_at: sample.seconds,
  started_at: null,
  started_at_ms: null,
  finished_at: null,
  duration_ms: null,
  retry_of: null,
  replay_of: null,
  parent_run_id: null,
  parent_node_id: null,
} as const

export const eventExamples = [
  example(ingestEvent, {
    note: 'Stored when the reply comes. The same `event_id` again stores nothing new and answers `"duplicate": true`.',
    body: {
      event_type: 'order_received',
      source: 'shop',
      correlation_id: 'order-4711',
      payload: { order: 4711, total: 129.5 },
      event_id: 'shop-order-4711',
    },
    reply: { ...event, published_at: sample.milliseconds, duplicate: false },
  }),
  example(listEvents, {
    query: { event_type: 'order_received', limit: 50 },
    reply: { data: [listed], next_cursor: '90209' },
  }),
  example(followEvents, {
    note: 'Go on after a break with the last `id` as `Last-Event-ID` or `after`: nothing is left out.',
    query: { event_type: 'order_received' },
    raw: { 'text/event-stream': `id: ${listed.seq}\nevent: event\ndata: ${JSON.stringify(listed)}\n\n` },
  }),
  example(startRun, {
    note: 'The workflow has to be published. Follow the run with `GET /api/v1/agent-runs/{runId}/stream`.',
    params: { id: sample.workflow },
    body: { input: { order: 4711 } },
    reply: run,
    errors: ['workflow_not_found', 'workflow_not_published'],
  }),
  example(listRuns, {
    query: { status: 'failed' },
    reply: { data: [{ ...run, status: 'failed', error: 'The shop answered 500.' }], next_cursor: null },
  }),
  example(followRun, {
    params: { runId: sample.run },
    raw: { 'text/event-stream': `event: run\ndata: ${JSON.stringify({ ...run, status: 'succeeded' })}\n\n` },
    errors: ['run_not_found'],
  }),
]
