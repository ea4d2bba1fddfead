/** Options for the pickers in the settings panel: models, tools, people, other workflows. */
import { ToolList } from '@chancery/contract/completions.ts'
import { ModelList } from '@chancery/contract/models.ts'
import { Team } from '@chancery/contract/team.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { usePerson } from '#lib/viewer.ts'
import type { Suggestion } from '#ui/suggest.tsx'

const staleTime = 60_000

export const useModelChoices = (): Suggestion[] =>
  useQuery({
    queryKey: ['workflow-editor', 'models'],
    queryFn: async () =>
      (await api.get('/api/models', ModelList)).data.map(({ id, name }) => ({
        value: id,
        label: name,
        detail: name === id ? undefined : id,
      })),
    staleTime,
  }).data ?? []

/** `emit_event` is built into agents; all other tools are connected by an admin. */
const emitTool: Suggestion = { value: 'emit_event', label: 'emit_event', detail: 'built in' }

export function useToolChoices(hasEmit: boolean): Suggestion[] {
  const { data } = useQuery({
    queryKey: ['workflow-editor', 'tools'],
    queryFn: async () =>
      (await api.get('/api/v1/tools', ToolList)).items.map(({ id, name }) => ({
        value: id,
        label: name,
        detail: name === id ? undefined : id,
      })),
    staleTime,
  })
  return [...(hasEmit ? [emitTool] : []), ...(data ?? [])]
}

/** Everyone in the organization; without an organization, only the viewer. */
export function usePeopleChoices(): Suggestion[] {
  const { id, name, email, organizationId } = usePerson()
  const { data } = useQuery({
    queryKey: ['workflow-editor', 'people', organizationId],
    queryFn: async () =>
      (await api.get('/api/org/team', Team)).members.map((member) => ({
        value: member.id,
        label: member.name,
        detail: member.email,
      })),
    enabled: organizationId !== null,
    staleTime,
  })
  return organizationId === null ? [{ value: id, label: name, detail: email }] : (data ?? [])
}
