/** Confirms a destructive action: says what will be lost and asks for the name to be typed. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface NamedConfirmProps {
  title: string
  loss: ReactNode
  /** The name to type. */
  name: string
  action: string
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
}

export function NamedConfirm({ title, loss, name, action, isPending, onConfirm, onClose }: NamedConfirmProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === name.trim()) onConfirm()
    else setProblem(`Type “${name}” to confirm.`)
  }
  return (
    <Dialog title={title} hint={loss} isOpen isDisposable onClose={onClose}>
      <form noValidate onSubmit={onSubmit}>
        <Field label="Name" name="name" help={`Type “${name}” to confirm.`} problem={problem}>
          <TextInput
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" isPending={isPending}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
