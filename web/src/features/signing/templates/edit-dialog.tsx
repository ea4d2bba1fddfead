/** A template's name, message, folder and settings. Documents that were made from it stay as they are. */
import { TemplatePatch } from '@chancery/contract/signing/templates.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented, Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { orders } from '../documents/labels.tsx'
import { type TemplateDetails, type TemplateHead, useChangeTemplate, useTemplate } from './api.ts'

export function EditTemplateDialog({ template: { id }, onClose }: { template: TemplateHead; onClose: () => void }) {
  const template = useTemplate(id)
  return (
    <Dialog isOpen title="Edit template" hint="Documents that were made from it stay as they are." onClose={onClose}>
      {template.isPending && (
        <Loading label="Loading template">
          <Skeleton className="h-64" />
        </Loading>
      )}
      {template.isError && <ErrorPanel error={template.error} onRetry={template.refetch} />}
      {template.data && <EditForm template={template.data} onClose={onClose} />}
    </Dialog>
  )
}

function EditForm({ template, onClose }: { template: TemplateDetails; onClose: () => void }) {
  const change = useChangeTemplate(template.id)
  const { signingOrder, emailOtp, allowDelegation } = template
  const [settings, setSettings] = useState({ signingOrder, emailOtp, allowDelegation })
  const set = (patch: Partial<typeof settings>) => setSettings({ ...settings, ...patch })
  const form = useForm({
    schema: TemplatePatch,
    body: ({ title, message = '', folder = '' }) => ({
      title,
      message: message.trim() === '' ? null : message.trim(),
      folder: folder.trim() === '' ? null : folder.trim(),
      ...settings,
    }),
    send: async (patch) => {
      await change(patch)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="title" problem={form.problems.title}>
        <TextInput defaultValue={template.title} maxLength={200} autoComplete="off" required />
      </Field>
      <Field label="Message" name="message" isOptional problem={form.problems.message}>
        <TextArea defaultValue={template.message ?? ''} maxLength={5000} />
      </Field>
      <Field label="Folder" name="folder" isOptional problem={form.problems.folder}>
        <TextInput defaultValue={template.folder ?? ''} maxLength={120} autoComplete="off" />
      </Field>
      <Segmented
        legend="Signing order"
        name="order"
        value={settings.signingOrder}
        options={orders}
        onChange={(chosen) => set({ signingOrder: chosen })}
      />
      <Switch
        label="Email code"
        help="Recipients enter a code that we email to them before they see anything."
        isOn={settings.emailOtp}
        onChange={(isOn) => set({ emailOtp: isOn })}
      />
      <Switch
        label="Delegation"
        help="A recipient may ask someone else to sign instead."
        isOn={settings.allowDelegation}
        onChange={(isOn) => set({ allowDelegation: isOn })}
      />
      <DialogFormActions form={form} onCancel={onClose}>
        Save
      </DialogFormActions>
    </form>
  )
}
