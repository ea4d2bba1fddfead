/** The members: a list of checkboxes, with a search once it is long. Those who were in it come first. */
import { useState } from 'react'
import { useFoundPeople, useNamedPeople } from '#data/people.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Check } from '#ui/form/choices.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { memberCountText } from './unit-labels.ts'

const longList = 8

interface PeoplePickerProps {
  /** The members before the change. */
  former: readonly string[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

export function PeoplePicker({ former, chosen, onChange }: PeoplePickerProps) {
  const [text, setText] = useState('')
  const wanted = text.trim()
  const search = useFoundPeople(wanted)
  const named = useNamedPeople(former)
  const before = wanted === '' ? (named.data ?? []) : []
  const among = new Set(before.map(({ id }) => id))
  const found = [...before, ...(search.data?.people ?? []).filter(({ id }) => !among.has(id))]
  const unseen = (search.data?.total ?? 0) - (search.data?.people.length ?? 0)
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 flex w-full items-baseline justify-between font-medium text-sm">
        Members <span className="font-normal text-faint">{memberCountText(chosen.size)}</span>
      </legend>
      {(wanted !== '' || found.length > longList) && (
        <SearchInput label="Find people" value={text} onSearch={setText} hasKey={false} />
      )}
      <ul className="max-h-56 overflow-y-auto rounded-control border">
        {found.map(({ id, name, email }) => (
          <li key={id} className="border-b last:border-b-0">
            <Check isOn={chosen.has(id)} onChange={() => toggle(id)}>
              <Avatar name={name} className="size-7" />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{name}</span>
                <span className="block truncate text-faint text-sm">{email}</span>
              </span>
            </Check>
          </li>
        ))}
        {search.isSuccess && found.length === 0 && <li className="px-3 py-4 text-center text-faint">No matches</li>}
        {unseen > 0 && <li className="px-3 py-2 text-faint text-sm">{unseen} more. Type a name to find them.</li>}
      </ul>
      {search.isError && <ErrorPanel error={search.error} onRetry={search.refetch} />}
    </fieldset>
  )
}
