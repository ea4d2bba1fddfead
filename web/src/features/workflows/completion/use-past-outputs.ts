/** The outputs of the workflow's last successful run, or of its newest one: what its nodes really return. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { runQuery, useRecentRuns } from '../runs/api.ts'
import { lastSteps } from '../runs/live-run.ts'
import type { PastOutputs } from './known-values.ts'

export function usePastOutputs(workflowId: string): PastOutputs {
  const runs = useRecentRuns(workflowId).data?.data ?? []
  const run = runs.find(({ status }) => status === 'succeeded') ?? runs[0]
  // Its steps may have been deleted.
  const { data } = useQuery({ ...runQuery(run?.id ?? ''), enabled: run !== undefined, retry: false })
  return useMemo(() => {
    const steps = data ? [...lastSteps(data)] : []
    return Object.fromEntries(
      steps.flatMap(([id, { status, output }]) => (status === 'succeeded' ? [[id, output] as const] : [])),
    )
  }, [data])
}
