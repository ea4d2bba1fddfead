/** The buttons and shared props of all trigger forms. */

import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import type { Form } from '#lib/form/form.ts'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'

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
  <DialogFormActions form={form} onCancel={onClose}>
    {isNew ? 'Add trigger' : 'Save trigger'}
  </DialogFormActions>
)
