/** Which failed runs still need somebody. Pure. */
import type { RunItem } from '@chancery/contract/workflow-runs.ts'

/** Newest first. A run that was retried is left to its retry, and a child to its parent, which failed with it. */
export function failedSince<Run extends Pick<RunItem, 'id' | 'status' | 'retry_of' | 'parent_run_id' | 'created_at'>>(
  runs: readonly Run[],
  sinceSec: number,
): Run[] {
  const retried = new Set(runs.map(({ retry_of }) => retry_of))
  return runs.filter(
    ({ id, status, parent_run_id, created_at }) =>
      (status === 'failed' || status === 'timed_out') &&
      parent_run_id === null &&
      created_at >= sinceSec &&
      !retried.has(id),
  )
}
