/** The settings of a chat: what the model is told first, and how it answers. */
import { ChatOptions } from '@chancery/contract/chats/chats.ts'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveDefaults } from './api.ts'
import { isCustom, optionsFrom } from './chat-options.ts'

interface OptionsButtonProps {
  options: ChatOptions
  onSave: (options: ChatOptions) => Promise<unknown>
}

export function OptionsButton({ options, onSave }: OptionsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <span className="relative flex">
        <IconButton label="Chat settings" icon={SlidersHorizontal} onClick={() => setOpen(true)} />
        {isCustom(options) && (
          <span className="pointer-events-none absolute top-1 right-1 size-2 rounded-full bg-seal">
            <span className="sr-only">Changed</span>
          </span>
        )}
      </span>
      <Dialog
        title="Chat settings"
        hint="They apply to the next replies in this chat. Empty fields use the model’s own values."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <OptionsForm options={options} onSave={onSave} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function OptionsForm({ options, onSave, onClose }: OptionsButtonProps & { onClose: () => void }) {
  const saveDefaults = useSaveDefaults()
  const [isDefault, setDefault] = useState(false)
  const form = useForm({
    schema: ChatOptions,
    body: optionsFrom,
    send: async (body) => {
      await Promise.all([onSave(body), isDefault && saveDefaults(body)])
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="System prompt" name="system" isOptional problem={form.problems.system}>
        <TextArea
          rows={5}
          defaultValue={options.system ?? ''}
          placeholder="Answer in British English, in at most three sentences."
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label="Temperature" name="temperature" isOptional problem={form.problems.temperature} help="0 to 2">
          <TextInput inputMode="decimal" className="figures" defaultValue={options.temperature ?? ''} />
        </Field>
        <Field label="Top P" name="top_p" isOptional problem={form.problems.top_p} help="0 to 1">
          <TextInput inputMode="decimal" className="figures" defaultValue={options.top_p ?? ''} />
        </Field>
        <Field label="Max tokens" name="max_tokens" isOptional problem={form.problems.max_tokens} help="Per reply">
          <TextInput inputMode="numeric" className="figures" defaultValue={options.max_tokens ?? ''} />
        </Field>
      </div>
      <label className="flex items-center gap-2.5">
        <input
          type="checkbox"
          checked={isDefault}
          onChange={(event) => setDefault(event.target.checked)}
          className="size-4 accent-seal"
        />
        Also use for my new chats
      </label>
      <DialogFormActions form={form} onCancel={onClose}>
        Save
      </DialogFormActions>
    </form>
  )
}
