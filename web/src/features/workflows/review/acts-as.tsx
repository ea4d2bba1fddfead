/** On whose behalf triggered runs call models and tools. Admins of an organization can change it. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { usePeopleChoices } from '../editor/rows/choices.ts'
import { useChangeRunAs } from './api.ts'

interface ActsAsProps {
  workflow: Workflow
  isReviewer: boolean
}

export function ActsAs({ workflow, isReviewer }: ActsAsProps) {
  const { organizationId } = usePerson()
  const owner = organizationId === null ? workflow.author.name : 'The organization'
  return isReviewer && organizationId !== null ? (
    <ActsAsField workflow={workflow} owner={owner} />
  ) : (
    <p className="text-soft text-sm">Triggered runs act as: {workflow.run_as?.name ?? owner}</p>
  )
}

function ActsAsField({ workflow: { id, run_as }, owner }: { workflow: Workflow; owner: string }) {
  const [text, setText] = useState('')
  const { choices: people, total } = usePeopleChoices(text, [])
  const change = useChangeRunAs(id, (person) => toast.done(`Triggered runs now act as: ${person?.name ?? owner}`))
  const isListed = people.some(({ value }) => value === run_as?.id)
  return (
    <Field
      label="Triggered runs act as"
      name="run_as"
      help="Runs that events, schedules and webhooks start have this access to models and tools. Runs started by hand act as the person who starts them."
    >
      {(text !== '' || total > people.length) && (
        <div className="mb-2">
          <SearchInput label="Find people" value={text} onSearch={setText} hasKey={false} />
        </div>
      )}
      <Select
        value={run_as?.id ?? ''}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.target.value || null)}
      >
        <option value="">{owner}</option>
        {run_as && !isListed && <option value={run_as.id}>{run_as.name}</option>}
        {people.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
