/** Starts a run of the live version, or a test of the draft, with an event or an input. If nothing is live, it says so. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { type ReactNode, useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { readStored, store } from '#lib/browser/browser-storage.ts'
import { Button } from '#ui/button/button.tsx'
import { Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { eventOf, firstDraft } from './event-draft.ts'
import { EventFields, type EventFieldsProps, inputHelp } from './event-fields.tsx'
import { missingBeforeRun } from './missing-before-run.ts'
import { StartForm } from './start-form.tsx'
import { useEventChoices } from './use-event-choices.ts'

interface RunDialogProps {
  workflow: Workflow
  /** Renders a link to the review page. */
  reviewLink: ReactNode
  onStarted: (run: RunItem) => void
  onClose: () => void
}

export function RunDialog({ workflow, reviewLink, onStarted, onClose }: RunDialogProps) {
  const { live_version, has_changes, fires } = workflow
  if (live_version === null || !fires)
    return (
      <Dialog title="Nothing to run yet" hint={missingBeforeRun(workflow)} isOpen onClose={onClose}>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          {reviewLink}
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog
      title={`Run “${workflow.name}”`}
      hint={`Runs version ${live_version}, which is live.${has_changes ? ' Later changes aren’t included.' : ''}`}
      isOpen
      onClose={onClose}
      isSticky
    >
      <RunForm workflowId={workflow.id} isTest={false} onStarted={onStarted} onClose={onClose} />
    </Dialog>
  )
}

/** Tries the draft as it was last saved. */
export function TestDialog({ workflow, onStarted, onClose }: Omit<RunDialogProps, 'reviewLink'>) {
  return (
    <Dialog
      title={`Test “${workflow.name}”`}
      hint="Runs the draft as it was last saved. It is not published, and triggers don’t start it."
      isOpen
      onClose={onClose}
      isSticky
    >
      <RunForm workflowId={workflow.id} isTest onStarted={onStarted} onClose={onClose} />
    </Dialog>
  )
}

interface RunFormProps {
  workflowId: string
  isTest: boolean
  onStarted: (run: RunItem) => void
  onClose: () => void
}

/** A workflow that events start can't do anything without one, so it is offered them. */
function RunForm(props: RunFormProps) {
  const { types, events, isPending } = useEventChoices(props.workflowId)
  if (isPending)
    return (
      <Loading label="Loading recent events">
        <Skeleton className="h-56 w-full rounded-panel" />
      </Loading>
    )
  return types.length > 0 ? <EventRunForm {...props} types={types} events={events} /> : <InputRunForm {...props} />
}

function EventRunForm({ types, events, ...props }: RunFormProps & Pick<EventFieldsProps, 'types' | 'events'>) {
  const [draft, setDraft] = useState(() => firstDraft(types, events))
  return (
    <StartForm
      {...props}
      text={draft.payload}
      bodyOf={(value) => {
        const event = eventOf(draft, value ?? null, events)
        return event ? { event } : inputBody(value)
      }}
    >
      {(problem) => <EventFields types={types} events={events} draft={draft} problem={problem} onChange={setDraft} />}
    </StartForm>
  )
}

const inputBody = (value: unknown) => (value === undefined ? {} : { input: value })

function InputRunForm(props: RunFormProps) {
  const person = usePerson()
  // Cleared for the next person who signs in here.
  const storageKey = `run-input.${person.id}.${props.workflowId}`
  const [text, setText] = useState(() => readStored(storageKey) ?? '')
  return (
    <StartForm
      {...props}
      text={text}
      bodyOf={(value) => {
        store(storageKey, text)
        return inputBody(value)
      }}
    >
      {(problem) => (
        <Field label="Input" name="input" isOptional problem={problem} help={inputHelp}>
          <TextArea
            rows={8}
            spellCheck={false}
            placeholder={'{\n  "customer": "Acme"\n}'}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="font-mono"
          />
        </Field>
      )}
    </StartForm>
  )
}
