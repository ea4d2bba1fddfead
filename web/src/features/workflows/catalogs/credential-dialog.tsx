/** Creates or edits a credential for HTTP requests. Its secret is write-only: a blank field keeps the stored one. */
import { CredentialBody, type CredentialKind, CredentialPatch } from '@chancery/contract/workflows/http-credentials.ts'
import { useState } from 'react'
import { type Fields, useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { type CredentialItem, useCredentials, useSaveCredential } from './api.ts'
import { kindFields, kindLabels, secretLabels } from './credential-kinds.ts'

interface CredentialDialogProps {
  /** The credential to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  onClose: () => void
}

export function CredentialDialog({ open, onClose }: CredentialDialogProps) {
  const { data } = useCredentials()
  const credential = data?.items.find(({ id }) => id === open)
  return (
    <Dialog
      title={credential?.name ?? 'New credential'}
      hint="HTTP request nodes use it by name. Nobody can read its secret again."
      isOpen={open === 'new' || credential !== undefined}
      onClose={onClose}
      isSticky
    >
      <CredentialForm current={credential} onClose={onClose} />
    </Dialog>
  )
}

const kinds = Object.entries(kindLabels) as [CredentialKind, string][]
const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

function CredentialForm({ current, onClose }: { current: CredentialItem | undefined; onClose: () => void }) {
  const [kind, setKind] = useState<CredentialKind>(current?.kind ?? 'bearer')
  const [enabled, setEnabled] = useState(current?.enabled ?? true)
  const save = useSaveCredential(current?.id)
  const form = useForm<unknown>({
    schema: current ? CredentialPatch : CredentialBody,
    body: (fields) => bodyOf(fields, { kind, enabled, current }),
    send: async (body) => {
      const { name } = await save(body)
      toast.done(`Credential “${name}” saved`)
      onClose()
    },
  })
  const { problems } = form
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={problems.name}>
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      <Field label="Description" name="description" isOptional problem={problems.description}>
        <TextArea rows={1} defaultValue={current?.description} />
      </Field>
      {!current && (
        <Field label="Type" name="kind" problem={problems.kind}>
          <Select value={kind} onChange={(event) => setKind(event.target.value as CredentialKind)}>
            {kinds.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Server" name="url" problem={problems.url} help="The only server it is sent to.">
        <TextInput {...plain} inputMode="url" placeholder="https://api.example.com" defaultValue={current?.url} />
      </Field>
      {kindFields[kind].map(({ name, label, isOptional = false, placeholder }) => (
        <Field key={name} label={label} name={name} isOptional={isOptional} problem={problems[name]}>
          <TextInput {...plain} placeholder={placeholder} defaultValue={String(current?.[name as 'scope'] ?? '')} />
        </Field>
      ))}
      <Field
        label={secretLabels[kind]}
        name="secret"
        problem={problems.secret}
        help={current ? 'Leave blank to keep the stored one.' : 'Stored encrypted. You won’t see it again.'}
      >
        <PasswordInput autoComplete="new-password" />
      </Field>
      <Switch label="Enabled" help="While it is off, requests that use it fail." isOn={enabled} onChange={setEnabled} />
      <div>
        <DialogFormActions form={form} onCancel={onClose}>
          {current ? 'Save credential' : 'Create credential'}
        </DialogFormActions>
      </div>
    </form>
  )
}

interface Chosen {
  kind: CredentialKind
  enabled: boolean
  current: CredentialItem | undefined
}

/** A blank secret keeps the stored one; in a new credential it is a problem. */
const bodyOf = (fields: Fields, { kind, enabled, current }: Chosen) => {
  const own = kindFields[kind].map(({ name }) => [name, (fields[name] ?? '').trim()] as const)
  return {
    name: fields.name,
    description: (fields.description ?? '').trim(),
    url: (fields.url ?? '').trim(),
    ...(current ? {} : { kind }),
    ...Object.fromEntries(current ? own : own.filter(([, value]) => value !== '')),
    ...(current && fields.secret === '' ? {} : { secret: fields.secret }),
    enabled,
  }
}
