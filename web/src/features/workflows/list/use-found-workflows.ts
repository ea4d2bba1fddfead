/** Searches workflows by name and description, for use outside the list. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import type { WorkflowListItem } from '@chancery/contract/workflows/workflows.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { workflowKeys } from '../api.ts'

const few = 6

export function useFoundWorkflows(text: string, isOn: boolean): WorkflowListItem[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const query = { search, limit: few }
  const { data } = useQuery({
    queryKey: workflowKeys.list(query),
    queryFn: () => call(endpoints.listWorkflows, { query }),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.items ?? [])
}
