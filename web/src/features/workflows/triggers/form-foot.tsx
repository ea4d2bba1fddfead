/** The buttons and shared props of all trigger forms. */
import type { Trigger } from '@chancery/contract/workflow-triggers.ts'
import type { Form } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { DialogActions } from '#ui/dialog.tsx'
import { FormFailure } from '#ui/states.tsx'

export interface FormProps<Current extends Trigger> {
  workflowId: string
  /** Undefined creates one. */
  current: Current | undefined
  onSaved: (trigger: Trigger) => void
  onClose: () => void
}

interface FormFootProps {
  form: Form
  isNew: boolean
  onClose: () => void
}

export const FormFoot = ({ form, isNew, onClose }: FormFootProps) => (
  <>
    <FormFailure error={form.failure} />
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" look="primary" isPending={form.isPending}>
        {isNew ? 'Add trigger' : 'Save trigger'}
      </Button>
    </DialogActions>
  </>
)
