/** Options for the pickers in the settings panel: models, tools, people, other workflows. */

import { useModels } from '#data/models.ts'
import { useFoundPeople, useNamedPeople } from '#data/people.ts'
import { useTools } from '#data/tools.ts'
import { usePerson } from '#data/viewer.ts'
import { counted } from '#lib/text/counted.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import type { Suggestion } from '#ui/form/suggest.tsx'
import { useFoundCollections, useNamedCollections } from '../api.ts'

const choiceOf = ({ id, name }: { id: string; name: string }): Suggestion => ({
  value: id,
  label: name,
  detail: name === id ? undefined : id,
})

export const useModelChoices = (): Suggestion[] => useModels().data?.map(choiceOf) ?? []

/** `emit_event` is built into agents; all other tools are connected by an admin. */
const emitTool: Suggestion = { value: 'emit_event', label: 'emit_event', detail: 'built in' }

export function useToolChoices(hasEmit: boolean): Suggestion[] {
  const tools = useTools().data?.map(choiceOf) ?? []
  return [...(hasEmit ? [emitTool] : []), ...tools]
}

/** The viewer's collections that match, the first few of them, and those of the ids by their names. */
export function useCollectionChoices(text: string, ids: readonly string[]): Suggestion[] {
  const search = useDebounced(text.trim())
  const found = useFoundCollections(search).data ?? []
  const named = useNamedCollections(ids).map(({ data, isError }, index) => {
    const value = ids[index] ?? ''
    return { value, label: data ?? (isError ? `Collection not found (${value})` : 'Loading…') }
  })
  const others = found.filter(({ id }) => !ids.includes(id))
  return [
    ...others.map(({ id, name, file_count }) => ({ value: id, label: name, detail: counted(file_count, 'file') })),
    ...named,
  ]
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
