/** Creates a key and shows it once. The dialog can't be closed by accident until the key has been copied. */
import { ApiKeyBody, type NewApiKey } from '@chancery/contract/accounts/api-keys.ts'
import { useState } from 'react'
import { type Fields, useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { examplePath, useCreateKey } from './api.ts'

const lifetimes = [
  { days: '', label: 'Never' },
  { days: '30', label: 'After 30 days' },
  { days: '90', label: 'After 90 days' },
  { days: '365', label: 'After a year' },
]

export function NewKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey>()
  const close = () => {
    setMade(undefined)
    onClose()
  }
  return made ? (
    <Dialog
      title="Copy your API key"
      hint="You won’t see it again. We only store a fingerprint."
      isOpen={isOpen}
      onClose={close}
      isSticky
    >
      <MadeKey made={made} onDone={close} />
    </Dialog>
  ) : (
    <Dialog
      title="New API key"
      hint="An API key has your permissions, limited to the routes you allow."
      isOpen={isOpen}
      onClose={close}
    >
      <NewKeyForm onMade={setMade} onCancel={close} />
    </Dialog>
  )
}

function bodyOf({ name, allowed_routes = '', days }: Fields) {
  const routes = allowed_routes.split(/\s+/).filter(Boolean)
  return {
    name,
    ...(routes.length > 0 && { allowed_routes: routes }),
    ...(days && { expires_at: Math.floor(Date.now() / 1000) + Number(days) * 86_400 }),
  }
}

function NewKeyForm({ onMade, onCancel }: { onMade: (made: NewApiKey) => void; onCancel: () => void }) {
  const create = useCreateKey()
  const form = useForm({ schema: ApiKeyBody, body: bodyOf, send: async (body) => onMade(await create(body)) })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Name"
        name="name"
        problem={form.problems.name}
        help="What the key is for, so you recognize it later."
      >
        <TextInput autoComplete="off" required />
      </Field>
      <Field
        label="Allowed routes"
        name="allowed_routes"
        isOptional
        problem={form.problems.allowed_routes}
        help={`One path per line, such as ${examplePath}. Leave empty to allow all routes.`}
      >
        <TextArea spellCheck={false} className="font-mono" />
      </Field>
      <Field label="Expires" name="days" problem={form.problems.expires_at}>
        <Select>
          {lifetimes.map(({ days, label }) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <DialogFormActions form={form} onCancel={onCancel}>
        Create API key
      </DialogFormActions>
    </form>
  )
}

function MadeKey({ made, onDone }: { made: NewApiKey; onDone: () => void }) {
  return (
    <>
      <Field label="Your new API key" name="key">
        <TextInput value={made.key} readOnly className="font-mono" onFocus={(event) => event.target.select()} />
      </Field>
      <DialogActions>
        <Button onClick={onDone}>Done</Button>
        <CopyButton text={made.key} label="Copy API key" isWorded />
      </DialogActions>
    </>
  )
}
