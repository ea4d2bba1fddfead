/** An API key to limit. Nobody can list other people's keys, but those that were used are in the report. */
import { useState } from 'react'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/inputs.tsx'
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
    <Field label="API key" name="key" problem={problem} help="Keys that were used within a year.">
      <Select defaultValue="" onChange={(event) => take(event.target.value)}>
        <option value="" disabled>
          Choose a key
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
