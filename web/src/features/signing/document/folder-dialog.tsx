/** Puts a document into a folder, or takes it out of one. A folder is a name: it exists while documents are in it. */
import { DocumentPatch, type SigningDocument } from '@chancery/contract/signing/documents.ts'
import { useForm } from '#lib/form/form.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { usePatchDocument } from '../documents/api.ts'

export function FolderDialog({ document, onClose }: { document: SigningDocument; onClose: () => void }) {
  const patch = usePatchDocument(document.id)
  const form = useForm({
    schema: DocumentPatch,
    body: ({ folder = '' }) => ({ folder: folder.trim() === '' ? null : folder.trim() }),
    send: async (change) => {
      await patch.mutateAsync(change)
      onClose()
    },
  })
  return (
    <Dialog isOpen title="Move to folder" onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field
          label="Folder"
          name="folder"
          help="Leave it empty to take the document out of its folder."
          problem={form.problems.folder}
        >
          <TextInput defaultValue={document.folder ?? ''} maxLength={120} autoComplete="off" />
        </Field>
        <DialogFormActions form={form} onCancel={onClose}>
          Move
        </DialogFormActions>
      </form>
    </Dialog>
  )
}
