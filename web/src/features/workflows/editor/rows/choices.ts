/** Options for the pickers in the settings panel: models, tools, people, other workflows. */

import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import * as modelsEndpoints from '@chancery/contract/endpoints/models.ts'
import * as pluginsEndpoints from '@chancery/contract/endpoints/plugins.ts'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useFoundPeople, useNamedPeople } from '#data/people.ts'
import { usePerson } from '#data/viewer.ts'
import { call } from '#lib/http/call.ts'
import { counted } from '#lib/text/counted.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import type { Suggestion } from '#ui/form/suggest.tsx'

const staleTime = 60_000

export const useModelChoices = (): Suggestion[] =>
  useQuery({
    queryKey: ['workflow-editor', 'models'],
    queryFn: async () =>
      (await call(modelsEndpoints.listModels)).data.map(({ id, name }) => ({
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
      (await call(pluginsEndpoints.listTools)).items.map(({ id, name }) => ({
        value: id,
        label: name,
        detail: name === id ? undefined : id,
      })),
    staleTime,
  })
  return [...(hasEmit ? [emitTool] : []), ...(data ?? [])]
}

/** The viewer's collections that match, the first few of them, and those of the ids by their names. */
export function useCollectionChoices(text: string, ids: readonly string[]): Suggestion[] {
  const search = useDebounced(text.trim())
  const found = useQuery({
    queryKey: ['workflow-editor', 'collections', search],
    queryFn: async () =>
      (
        await call(knowledgeEndpoints.listCollections, { query: { limit: 20, ...(search !== '' && { search }) } })
      ).items.map(({ id, name, file_count }) => ({ value: id, label: name, detail: counted(file_count, 'file') })),
    placeholderData: keepPreviousData,
    staleTime,
  })
  const named = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['workflow-editor', 'collection', id],
      queryFn: async () => (await call(knowledgeEndpoints.getCollection, { params: { id } })).name,
      staleTime,
      retry: false,
    })),
    combine: (all) =>
      all.map(({ data, isError }, index) => {
        const value = ids[index] ?? ''
        return { value, label: data ?? (isError ? `Collection not found (${value})` : 'Loading…') }
      }),
  })
  return [...(found.data ?? []).filter(({ value }) => !ids.includes(value)), ...named]
}

/** People of the organization who match, and those of the ids; without an organization, only the viewer. */
export function usePeopleChoices(text: string, ids: readonly string[]) {
  const { id, name, email, organizationId } = usePerson()
  const isOn = organizationId !== null
  const found = useFoundPeople(useDebounced(text.trim()), { isOn })
  const named = useNamedPeople(ids, { isOn })
  const own = { id, name, email }
  const people = isOn ? [...(found.data?.people ?? []), ...(named.data ?? [])] : [own]
  const choices = new Map(people.map((one) => [one.id, { value: one.id, label: one.name, detail: one.email }]))
  return { choices: [...choices.values()], total: found.data?.total ?? 0 }
}
