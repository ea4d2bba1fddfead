/** Events, workflows and runs. */
import type { ErrorEntry } from './entry.ts'

export const workflowsErrors = {
  // Events
  ingest_not_configured: {
    status: 503,
    kind: 'server',
    sentence: "Publishing events with a shared key isn't set up. Use your own API key, or set SVC_EVENT_API_KEY.",
  },
  event_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that event." },
  payload_too_large: { status: 413, kind: 'invalid', sentence: "The event's payload is too large." },
  dead_letter_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that dead letter. It may have been retried or discarded.",
  },
  subscription_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that subscription." },
  filter_invalid: { status: 422, kind: 'invalid', sentence: "The filter isn't a valid expression." },

  // Workflows
  workflow_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that workflow. It may have been deleted.",
  },
  version_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that version of the workflow." },
  catalog_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that catalog." },
  credential_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that credential." },
  webhook_run_failed: { status: 502, kind: 'server', sentence: 'The workflow that this request started failed.' },
  space_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that space." },
  graph_changed: {
    status: 409,
    kind: 'conflict',
    sentence: 'Someone else changed this workflow. Reload it and make your change again.',
  },
  graph_invalid: { status: 422, kind: 'invalid', sentence: "This workflow has problems and can't run yet." },
  workflow_not_draft: { status: 409, kind: 'conflict', sentence: 'Only a draft can be submitted for review.' },
  workflow_not_staged: { status: 409, kind: 'conflict', sentence: "This workflow isn't in review." },
  workflow_in_review: {
    status: 409,
    kind: 'conflict',
    sentence: 'This workflow is in review. Reject or edit it before rolling back.',
  },

  // Runs
  trigger_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that trigger." },
  webhook_refused: {
    status: 401,
    kind: 'auth',
    sentence: "The webhook doesn't exist or is off, or the signature is missing, wrong or too old.",
  },
  run_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that run." },
  step_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that step. Steps are deleted some time after their run has ended.",
  },
  workflow_not_published: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a published workflow can be started. Submit it for review and publish it first.',
  },
  run_finished: { status: 409, kind: 'conflict', sentence: 'This run has already ended.' },
  run_not_retryable: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a run that failed, was cancelled or timed out can be retried.',
  },
  run_retried: {
    status: 409,
    kind: 'conflict',
    sentence: 'A retry of this run has already succeeded.',
  },
  run_not_replayable: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a run that has ended can be replayed, and neither a test nor a run that another run started.',
  },
  run_active: { status: 409, kind: 'conflict', sentence: 'Another run with the same correlation ID is in progress.' },
  approval_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that approval." },
  approval_closed: {
    status: 409,
    kind: 'conflict',
    sentence: 'This approval has already been answered or has expired.',
  },
  approvals_kept_too_short: {
    status: 422,
    kind: 'invalid',
    sentence: "Approvals can't be kept for a shorter time than the audit log.",
  },
  node_failed: { status: 422, kind: 'invalid', sentence: 'A step of the workflow failed.' },
} as const satisfies Record<string, ErrorEntry>
