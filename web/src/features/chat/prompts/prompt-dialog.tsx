/** Asks for the arguments of a prompt that an MCP server has prepared. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { fieldsOf } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { fillPrompt, type OfferedPrompt } from './api.ts'

interface PromptDialogProps {
  prompt: OfferedPrompt
  onInsert: (content: string) => void
  onClose: () => void
}

export function PromptDialog({ prompt, onInsert, onClose }: PromptDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const fill = useMutation({
    mutationFn: (args: Readonly<Record<string, string>>) => fillPrompt(prompt, args),
    onSuccess: onInsert,
    onError: toast.failed,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.current) return
    const given = Object.entries(fieldsOf(form.current)).filter(([, value]) => value !== '')
    fill.mutate(Object.fromEntries(given))
  }
  const hint = prompt.description === '' ? {} : { hint: prompt.description }
  return (
    <Dialog title={prompt.name} {...hint} isOpen isSticky onClose={onClose}>
      <form ref={form} onSubmit={submit} className="flex flex-col gap-5">
        {prompt.arguments.map(({ name, description, required }) => (
          <Field key={name} label={name} name={name} isOptional={!required} help={description}>
            <TextInput autoComplete="off" required={required} />
          </Field>
        ))}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={fill.isPending}>
            Insert
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
