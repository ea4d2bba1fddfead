/** Saves a document as a template: its recipients become roles with names. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { TemplateBody } from '@chancery/contract/signing/templates.ts'
import { useForm } from '#lib/form/form.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useMakeTemplate } from './api.ts'
import { byIndex } from './by-index.ts'

interface MakeTemplateDialogProps {
  document: SigningDocument
  onMade: () => void
  onClose: () => void
}

export function MakeTemplateDialog({ document, onMade, onClose }: MakeTemplateDialogProps) {
  const make = useMakeTemplate(onMade)
  const people = document.recipients.filter(({ state }) => state !== 'REPLACED')
  const form = useForm({
    schema: byIndex(TemplateBody),
    body: ({ title, ...names }) => ({
      documentId: document.id,
      title,
      roles: people.map(({ id }, index) => ({ recipientId: id, name: names[`name-${index}`] ?? '' })),
    }),
    send: async (body) => {
      await make.mutateAsync(body)
    },
  })
  return (
    <Dialog
      isOpen
      title="Save as template"
      hint="Files, fields and settings are kept. People become roles that you fill when you use it."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="Title" name="title" problem={form.problems.title}>
          <TextInput defaultValue={document.title} maxLength={200} />
        </Field>
        {people.map(({ id, name }, index) => (
          <Field key={id} label={`Role of ${name}`} name={`name-${index}`} problem={form.problems[`name-${index}`]}>
            <TextInput defaultValue={`Signer ${index + 1}`} maxLength={120} />
          </Field>
        ))}
        <DialogFormActions form={form} onCancel={onClose}>
          Save template
        </DialogFormActions>
      </form>
    </Dialog>
  )
}
