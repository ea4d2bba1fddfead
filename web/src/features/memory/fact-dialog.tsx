/** Writes a fact down, or changes one. */
import { MemoryBody } from '@chancery/contract/chats/memories.ts'
import { useForm } from '#lib/form/form.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { type Fact, useSaveFact } from './api.ts'

interface FactDialogProps {
  /** Undefined means closed. */
  open: Fact | 'new' | undefined
  onClose: () => void
}

export const FactDialog = ({ open, onClose }: FactDialogProps) => (
  <Dialog title={open === 'new' ? 'New memory' : 'Edit memory'} isOpen={open !== undefined} onClose={onClose}>
    {open && <FactForm fact={open === 'new' ? undefined : open} onClose={onClose} />}
  </Dialog>
)

function FactForm({ fact, onClose }: { fact: Fact | undefined; onClose: () => void }) {
  const save = useSaveFact(fact?.id)
  const form = useForm({
    schema: MemoryBody,
    send: async (body) => {
      await save(body)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Field label="Memory" name="content" problem={form.problems.content} help="One fact, in your own words.">
        <TextArea
          rows={3}
          defaultValue={fact?.content}
          placeholder="I work in the Lisbon office and prefer metric units."
        />
      </Field>
      <DialogFormActions form={form} onCancel={onClose}>
        Save
      </DialogFormActions>
    </form>
  )
}
