/** Searches workflows by name and description, for use outside the list. */
import { WorkflowList, type WorkflowListItem } from '@chancery/contract/workflows.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { workflowKeys, workflowsPath } from '../api.ts'

const few = 6

export function useFoundWorkflows(text: string, isOn: boolean): WorkflowListItem[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const query = { search, limit: few }
  const { data } = useQuery({
    queryKey: workflowKeys.list(query),
    queryFn: () => api.get(withQuery(workflowsPath, query), WorkflowList),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.items ?? [])
}
