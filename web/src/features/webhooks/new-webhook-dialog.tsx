/** Creates a webhook and shows its secret once. */
import { WebhookBody, type WebhookWithSecret } from '@chancery/contract/platform/webhooks.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Check } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useCreateWebhook } from './api.ts'

interface NewWebhookDialogProps {
  eventTypes: readonly { type: string; description: string }[]
  isOpen: boolean
  onMade: (made: WebhookWithSecret) => void
  onClose: () => void
}

export const NewWebhookDialog = ({ isOpen, onClose, ...rest }: NewWebhookDialogProps) => (
  <Dialog
    title="New webhook"
    hint="We send a signed POST request to this address when something happens."
    isOpen={isOpen}
    onClose={onClose}
  >
    <NewWebhookForm onClose={onClose} {...rest} />
  </Dialog>
)

function NewWebhookForm({ eventTypes, onMade, onClose }: Omit<NewWebhookDialogProps, 'isOpen'>) {
  const create = useCreateWebhook()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const form = useForm({
    schema: WebhookBody,
    body: ({ url, description }) => ({ url, ...(description && { description }), eventTypes: chosen }),
    send: async (body) => {
      const made = await create(body)
      onClose()
      onMade(made)
    },
  })
  const toggle = (type: string) =>
    setChosen(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Address" name="url" problem={form.problems.url}>
        <TextInput type="url" autoComplete="off" placeholder="https://example.com/hooks/documents" required />
      </Field>
      <Field label="Description" name="description" isOptional problem={form.problems.description}>
        <TextInput autoComplete="off" />
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">Events</legend>
        <div className="rounded-control border">
          {eventTypes.map(({ type, description }) => (
            <Check key={type} isOn={chosen.includes(type)} onChange={() => toggle(type)}>
              <span className="min-w-0">
                <span className="block font-mono text-sm">{type}</span>
                <span className="text-faint text-sm">{description}</span>
              </span>
            </Check>
          ))}
        </div>
        <p className="text-faint text-sm">If you choose none, all events are sent.</p>
      </fieldset>
      <DialogFormActions form={form} onCancel={onClose}>
        Create webhook
      </DialogFormActions>
    </form>
  )
}

/** Can't be closed by accident until the secret has been copied. */
export const SecretDialog = ({ made, onClose }: { made: WebhookWithSecret | undefined; onClose: () => void }) => (
  <Dialog
    title="Copy the signing secret"
    hint="Stored encrypted. You won’t see it again. Verify each request with it, as Standard Webhooks describes."
    isOpen={made !== undefined}
    onClose={onClose}
    isSticky
    isDisposable
  >
    <Field label="Signing secret" name="secret">
      <TextInput value={made?.secret ?? ''} readOnly className="font-mono" onFocus={(event) => event.target.select()} />
    </Field>
    <DialogActions>
      <Button onClick={onClose}>Done</Button>
      <CopyButton text={made?.secret ?? ''} label="Copy secret" isWorded />
    </DialogActions>
  </Dialog>
)
