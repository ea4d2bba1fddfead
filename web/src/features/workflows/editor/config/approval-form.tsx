/** The form of a question to people. */
import { usePeopleChoices } from './choices.ts'
import { template, yearSec } from './form-words.tsx'
import { ChipsRow } from './pick-rows.tsx'
import { AreaRow, LineRow } from './text-rows.tsx'
import { DurationRow } from './value-rows.tsx'

export function ApprovalForm() {
  const people = usePeopleChoices()
  return (
    <>
      <LineRow name="title" label="Question" isRequired placeholder="Send this offer?" help={template} />
      <AreaRow name="message" label="Message" isOptional help={template} />
      <ChipsRow
        name="approvers"
        label="Approvers"
        isOptional
        isClosed
        choices={people}
        placeholder="Add a person"
        emptyHint="Nobody else by that name."
        help="Any one of them decides. Nobody named means every reviewer."
      />
      <DurationRow
        name="deadline_sec"
        label="Deadline"
        isOptional
        maxSec={yearSec}
        help="After it the way “expired” is taken."
      />
    </>
  )
}
