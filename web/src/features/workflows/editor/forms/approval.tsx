/** Form of the approval node. */
import { useState } from 'react'
import { usePeopleChoices } from '../rows/choices.ts'
import { namesAt, useNodeConfig } from '../rows/config-context.ts'
import { template, yearSec } from '../rows/form-help.tsx'
import { ChipsRow } from '../rows/pick-rows.tsx'
import { AreaRow, LineRow } from '../rows/text-rows.tsx'
import { DurationRow } from '../rows/value-rows.tsx'

export function ApprovalForm() {
  const [text, setText] = useState('')
  const { choices } = usePeopleChoices(text, namesAt(useNodeConfig().config, 'approvers'))
  return (
    <>
      <LineRow name="title" label="Question" isRequired placeholder="Send this offer?" help={template} />
      <AreaRow name="message" label="Message" isOptional help={template} />
      <ChipsRow
        name="approvers"
        label="Approvers"
        isOptional
        isClosed
        choices={choices}
        onText={setText}
        placeholder="Add a person"
        emptyHint="No one else with that name."
        help="Any one of them can decide. If no one is listed, every reviewer can."
      />
      <DurationRow
        name="deadline_sec"
        label="Deadline"
        isOptional
        maxSec={yearSec}
        help="If no one answers in time, the run continues with “expired”."
      />
    </>
  )
}
