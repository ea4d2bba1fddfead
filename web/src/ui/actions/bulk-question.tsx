/** Asks before an action for several rows, or for the text that it uses. */
import type { FormEvent } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Confirm, Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import type { Doing } from './row-action.ts'

interface BulkQuestionProps<Row> {
  action: Doing<Row>
  /** The number of rows, as in “3 files”. */
  what: string
  onStart: (action: Doing<Row>, input?: string) => void
  onClose: () => void
}

export function BulkQuestion<Row>({ action, what, onStart, onClose }: BulkQuestionProps<Row>) {
  const { label, ask, input } = action
  if (ask?.many !== undefined) {
    return (
      <Confirm
        title={ask.title(what)}
        loss={ask.many}
        action={label}
        isOpen
        isPending={false}
        onConfirm={() => onStart(action)}
        onClose={onClose}
      />
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onStart(action, String(new FormData(event.currentTarget).get('value') ?? '').trim())
  }
  if (input === undefined) return null
  return (
    <Dialog isOpen isDisposable title={label} onClose={onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label={input.label} name="value" help={input.help}>
          <TextInput maxLength={120} autoComplete="off" />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            {label}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
