/** Creates or changes a prompt. */
import { type Prompt, PromptBody } from '@chancery/contract/chats/prompts.ts'
import { useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { useForm } from '#lib/form/form.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSavePrompt } from './api.ts'

interface PromptDialogProps {
  /** Undefined means closed. */
  open: Prompt | 'new' | undefined
  onClose: () => void
}

export const PromptDialog = ({ open, onClose }: PromptDialogProps) => (
  <Dialog title={open === 'new' ? 'New prompt' : 'Edit prompt'} isOpen={open !== undefined} onClose={onClose}>
    {open && <PromptForm prompt={open === 'new' ? undefined : open} onClose={onClose} />}
  </Dialog>
)

function PromptForm({ prompt, onClose }: { prompt: Prompt | undefined; onClose: () => void }) {
  const [isShared, setShared] = useState(prompt?.shared ?? false)
  const hasColleagues = usePerson().organizationId !== null
  const save = useSavePrompt(prompt?.id)
  const form = useForm({
    schema: PromptBody,
    body: ({ command = '', content = '' }) => ({
      command: command.trim().replace(/^\//, ''),
      content,
      shared: isShared,
    }),
    fieldOfCode: { prompt_command_taken: 'command' },
    send: async (body) => {
      await save(body)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Command"
        name="command"
        problem={form.problems.command}
        help="Type / and this in a chat. Small letters, digits, - and _."
      >
        <TextInput
          className="font-mono"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="minutes"
          defaultValue={prompt?.command}
        />
      </Field>
      <Field
        label="Text"
        name="content"
        problem={form.problems.content}
        help="Put {{placeholders}} in double braces. The first is selected when the prompt is inserted."
      >
        <TextArea
          rows={7}
          placeholder="Turn these notes into minutes with decisions and owners: {{notes}}"
          defaultValue={prompt?.content}
        />
      </Field>
      {hasColleagues && (
        <Switch
          label="Share with my organization"
          help="Colleagues can use it. Only you can change it."
          isOn={isShared}
          onChange={setShared}
        />
      )}
      <DialogFormActions form={form} onCancel={onClose}>
        {prompt ? 'Save' : 'Create prompt'}
      </DialogFormActions>
    </form>
  )
}
