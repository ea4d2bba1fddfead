/** Searches workflows by name and description, for use outside the list. */
import type { WorkflowListItem } from '@chancery/contract/workflows/workflows.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { workflowListQuery } from '../api.ts'

const few = 6

export function useFoundWorkflows(text: string, isOn: boolean): WorkflowListItem[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    ...workflowListQuery({ search, limit: few }),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.items ?? [])
}
