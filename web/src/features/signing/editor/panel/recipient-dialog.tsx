/** Adds or changes a recipient. */

import { RecipientInput } from '@chancery/contract/signing/documents.ts'
import { type SigningLanguage, signingLanguages } from '@chancery/contract/signing/signing.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import type { Recipient } from '../../documents/api.ts'
import { languageLabels, roleLabels } from '../../documents/labels.tsx'

interface RecipientDialogProps {
  /** Undefined for a new one. */
  recipient: Recipient | undefined
  nextOrder: number
  onSave: (input: RecipientInput) => Promise<void>
  onRemove: (id: string) => Promise<void>
  onClose: () => void
}

export function RecipientDialog({ recipient, nextOrder, onSave, onRemove, onClose }: RecipientDialogProps) {
  const [isRemoving, setRemoving] = useState(false)
  const form = useForm({
    schema: RecipientInput,
    body: ({ order, message, language, ...rest }) => ({
      ...rest,
      ...(recipient && { id: recipient.id }),
      order: Number(order),
      message: message === '' ? null : message,
      language: language === '' ? null : language,
    }),
    send: onSave,
  })
  const remove = (id: string) => {
    setRemoving(true)
    onRemove(id)
      .catch(toast.failed)
      .finally(() => setRemoving(false))
  }
  return (
    <Dialog isOpen title={recipient ? 'Edit recipient' : 'Add recipient'} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <RecipientFields recipient={recipient} nextOrder={nextOrder} problems={form.problems} />
        <FormFailure error={form.failure} />
        <DialogActions>
          {recipient && (
            <Button look="quiet" isPending={isRemoving} className="sm:mr-auto" onClick={() => remove(recipient.id)}>
              Remove
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={form.isPending}>
            {recipient ? 'Save' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface FieldsProps extends Pick<RecipientDialogProps, 'recipient' | 'nextOrder'> {
  problems: Readonly<Record<string, string>>
}

const RecipientFields = ({ recipient, nextOrder, problems }: FieldsProps) => (
  <>
    <Field label="Name" name="name" problem={problems.name}>
      <TextInput defaultValue={recipient?.name} autoComplete="off" />
    </Field>
    <Field label="Email" name="email" problem={problems.email}>
      <TextInput type="email" defaultValue={recipient?.email} autoComplete="off" />
    </Field>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Role" name="role" problem={problems.role}>
        <Select defaultValue={recipient?.role ?? 'SIGNER'}>
          {Object.entries(roleLabels).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Order" name="order" problem={problems.order} help="Same number: at the same time.">
        <TextInput type="number" min={1} max={1000} defaultValue={recipient?.order ?? nextOrder} />
      </Field>
    </div>
    <Field label="Language" name="language" problem={problems.language}>
      <LanguageSelect value={recipient?.language ?? ''} empty="Same as the document" />
    </Field>
    <Field label="Personal message" name="message" isOptional problem={problems.message}>
      <TextArea rows={2} defaultValue={recipient?.message ?? ''} />
    </Field>
  </>
)

export const LanguageSelect = ({ value, empty }: { value: SigningLanguage | ''; empty?: string }) => (
  <Select defaultValue={value}>
    {empty !== undefined && <option value="">{empty}</option>}
    {signingLanguages.map((language) => (
      <option key={language} value={language} lang={language}>
        {languageLabels[language]}
      </option>
    ))}
  </Select>
)
