/** The end of a form in a dialog: what went wrong, Cancel, and the button that submits. */
import type { ReactNode } from 'react'
import type { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { DialogActions } from './dialog.tsx'

interface Props {
  form: { failure: ApiError | undefined; isPending: boolean }
  onCancel: () => void
  /** The submit button's verb. */
  children: ReactNode
}

export const DialogFormActions = ({ form, onCancel, children }: Props) => (
  <>
    <FormFailure error={form.failure} />
    <DialogActions>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" look="primary" isPending={form.isPending}>
        {children}
      </Button>
    </DialogActions>
  </>
)
