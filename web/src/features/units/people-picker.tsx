/** The members: a list of checkboxes, with a search once it is long. */
import type { Member } from '@chancery/contract/team.ts'
import { useState } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Check } from '#ui/choices.tsx'
import { memberCountText } from './unit-labels.ts'

const longList = 8

interface PeoplePickerProps {
  members: readonly Member[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

export function PeoplePicker({ members, chosen, onChange }: PeoplePickerProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = members.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
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
      {members.length > longList && (
        <input
          type="search"
          aria-label="Find people"
          placeholder="Find people"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-9 rounded-control border border-b-rule bg-surface px-3 focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15"
        />
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
        {found.length === 0 && <li className="px-3 py-4 text-center text-faint">No matches</li>}
      </ul>
    </fieldset>
  )
}
