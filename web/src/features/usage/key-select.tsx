/** Selects an API key to limit. Other people's keys can't be listed, but the report contains those that were used. */
import { useState } from 'react'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { type Scope, useReport } from './api.ts'
import { rangeOf } from './day-range.ts'

interface KeySelectProps {
  scope: Scope
  problem: string | undefined
  onTake: (subject: { id: string; name: string } | undefined) => void
}

const nil = '00000000-0000-0000-0000-000000000000'

export function KeySelect({ scope, problem, onTake }: KeySelectProps) {
  const [range] = useState(() => rangeOf({ days: 365 }, new Date()))
  const { data } = useReport({ scope, by: 'key', ...range })
  const keys = (data?.rows ?? []).filter(({ group }) => group !== '' && group !== nil)
  const take = (id: string) => {
    const key = keys.find(({ group }) => group === id)
    onTake(key && { id, name: key.label })
  }
  return (
    <Field label="API key" name="key" problem={problem} help="API keys used in the last year.">
      <Select defaultValue="" onChange={(event) => take(event.target.value)}>
        <option value="" disabled>
          Select an API key
        </option>
        {keys.map(({ group, label }) => (
          <option key={group} value={group}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
