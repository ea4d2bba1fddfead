/** Runs and steps for tests. */
import type { Run, RunStep } from '@chancery/contract/workflow-runs.ts'

export const sampleStep = (node_id: string, more: Partial<RunStep> = {}): RunStep => ({
  ...{ id: `${node_id}-${more.attempt ?? 1}`, node_id, node_name: node_id, node_type: 'transform' },
  ...{ status: 'succeeded', attempt: 1, input: null, output: null, handle: null, error: null, prompt_tokens: 0 },
  ...{
    completion_tokens: 0,
    cost: null,
    cost_is_partial: false,
    started_at: 0,
    offset_ms: 0,
    finished_at: 0,
    duration_ms: 1200,
    wake_at: null,
    ...more,
  },
})

export const sampleRun = (steps: RunStep[], more: Partial<Run> = {}): Run => ({
  ...{ id: 'r', workflow_id: 'w', workflow_name: 'W', version_id: 'v', version: 1, status: 'running' },
  ...{ trigger: 'manual', event_id: null, correlation_id: null, error: null, prompt_tokens: 0, completion_tokens: 0 },
  ...{ cost: null, cost_is_partial: false, currency: null, newest_retry: null },
  ...{ created_at: 0, started_at: 0, started_at_ms: 0, finished_at: null, duration_ms: null, retry_of: null },
  ...{ parent_run_id: null, parent_node_id: null, input: null, output: null, steps, ...more },
})
