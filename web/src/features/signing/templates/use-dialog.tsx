/** Makes a document from a template: a person for every role, then edit it or send it at once. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { UseBody } from '@chancery/contract/signing/templates.ts'
import { useRef } from 'react'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { UnverifiedNote } from '../documents/unverified-note.tsx'
import { applyTemplate, type TemplateDetails, useTemplate } from './api.ts'
import { byIndex } from './by-index.ts'

interface UseDialogProps {
  templateId: string
  onMade: (document: SigningDocument) => void
  onClose: () => void
}

export function UseDialog({ templateId, onMade, onClose }: UseDialogProps) {
  const template = useTemplate(templateId)
  return (
    <Dialog isOpen isWide title={template.data?.title ?? 'Use template'} onClose={onClose}>
      {template.isPending && (
        <Loading label="Loading template">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {template.isError && <ErrorPanel error={template.error} onRetry={template.refetch} />}
      {template.data && <UseForm template={template.data} onMade={onMade} onClose={onClose} />}
    </Dialog>
  )
}

interface UseFormProps extends Omit<UseDialogProps, 'templateId'> {
  template: TemplateDetails
}

function UseForm({ template, onMade, onClose }: UseFormProps) {
  const sends = useRef(false)
  const roles = template.recipients
  const form = useForm({
    schema: byIndex(UseBody),
    body: (fields) => ({
      title: fields.title,
      send: sends.current,
      recipients: roles.map(({ id }, index) => ({
        roleId: id,
        name: fields[`name-${index}`] ?? '',
        email: fields[`email-${index}`] ?? '',
      })),
    }),
    send: async (body) => {
      const made = await applyTemplate(template.id, body)
      toast.done(body.send ? `“${made.title}” sent` : `“${made.title}” created`)
      onMade(made)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field label="Title" name="title" problem={form.problems.title}>
        <TextInput defaultValue={template.title} maxLength={200} />
      </Field>
      {roles.map(({ id, name }, index) => (
        <fieldset key={id} className="grid gap-3 sm:grid-cols-2">
          <legend className="mb-2 font-medium">{name}</legend>
          <Field label="Name" name={`name-${index}`} problem={form.problems[`name-${index}`]}>
            <TextInput autoComplete="off" />
          </Field>
          <Field label="Email" name={`email-${index}`} problem={form.problems[`email-${index}`]}>
            <TextInput type="email" autoComplete="off" />
          </Field>
        </fieldset>
      ))}
      <NoMailNote>
        After sending, copy each signing link from the document and send it to the recipient yourself.
      </NoMailNote>
      <UnverifiedNote />
      <FormFailure error={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          isPending={form.isPending && !sends.current}
          onClick={() => {
            sends.current = false
          }}
        >
          Edit first
        </Button>
        <Button
          type="submit"
          look="primary"
          isPending={form.isPending && sends.current}
          onClick={() => {
            sends.current = true
          }}
        >
          Send
        </Button>
      </DialogActions>
    </form>
  )
}
