/** Actions for a whole document. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { Ban, Ellipsis, FolderInput, LayoutTemplate, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Confirm, Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { useCancel, useDeleteDocument } from '../documents/api.ts'
import { MakeTemplateDialog } from '../templates/make-dialog.tsx'
import { FolderDialog } from './folder-dialog.tsx'

interface DocumentMenuProps {
  document: SigningDocument
  onDeleted: () => void
  onTemplate: () => void
}

export function DocumentMenu({ document, onDeleted, onTemplate }: DocumentMenuProps) {
  const [open, setOpen] = useState<'cancel' | 'delete' | 'folder' | 'template'>()
  const close = () => setOpen(undefined)
  const remove = useDeleteDocument(onDeleted)
  const isRunning = document.state === 'SENT'
  const isSealing = document.state === 'SEALING'
  return (
    <span className="relative">
      <Menu trigger={<IconButton label={`Actions for ${document.title}`} icon={Ellipsis} />}>
        <MenuItem icon={LayoutTemplate} onSelect={() => setOpen('template')}>
          Save as template
        </MenuItem>
        <MenuItem icon={FolderInput} onSelect={() => setOpen('folder')}>
          Move to folder
        </MenuItem>
        {!isSealing && <MenuLine />}
        {isRunning && (
          <MenuItem icon={Ban} tone="bad" onSelect={() => setOpen('cancel')}>
            Cancel document
          </MenuItem>
        )}
        {!isRunning && !isSealing && (
          <MenuItem icon={Trash2} tone="bad" onSelect={() => setOpen('delete')}>
            Delete
          </MenuItem>
        )}
      </Menu>
      {open === 'template' && <MakeTemplateDialog document={document} onMade={onTemplate} onClose={close} />}
      {open === 'folder' && <FolderDialog document={document} onClose={close} />}
      {open === 'cancel' && <CancelDialog document={document} onClose={close} />}
      <Confirm
        title={`Delete “${document.title}”?`}
        loss={
          document.state === 'DRAFT'
            ? 'The draft and its fields are deleted.'
            : 'It disappears from your list. The evidence of what was signed is kept.'
        }
        action="Delete"
        isOpen={open === 'delete'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(document)}
        onClose={close}
      />
    </span>
  )
}

function CancelDialog({ document, onClose }: { document: SigningDocument; onClose: () => void }) {
  const cancel = useCancel(document.id)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
    cancel.mutate(reason, {
      onSuccess: () => {
        toast.done('Document cancelled')
        onClose()
      },
      onError: toast.failed,
    })
  }
  return (
    <Dialog
      isOpen
      title={`Cancel “${document.title}”?`}
      hint="Links stop working at once, and recipients are told. This can’t be undone."
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Reason" name="reason" isOptional>
          <TextArea maxLength={5000} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Keep document</Button>
          <Button type="submit" look="danger" isPending={cancel.isPending}>
            Cancel document
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
