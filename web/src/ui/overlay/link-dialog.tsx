/** Makes a link for another person, to be copied and passed on. Shown where the email couldn't go out. */
import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { copyText } from '#lib/browser/clipboard.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface LinkDialogProps {
  title: string
  hint: string
  /** Explains what the link lets its holder do. */
  children: ReactNode
  createLink: () => Promise<{ url: string }>
  onClose: () => void
}

export function LinkDialog({ title, hint, children, createLink, onClose }: LinkDialogProps) {
  const making = useMutation({
    mutationFn: createLink,
    // A browser may refuse to copy after waiting for the server. The link is shown, with a button of its own.
    onSuccess: async ({ url }) => {
      if (await copyText(url)) toast.done('Link copied')
    },
  })
  const url = making.data?.url
  return (
    <Dialog isOpen title={title} hint={hint} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {children}
        {url !== undefined && (
          <Field label="Link" name="link" help="You won’t see it again, but you can make another one.">
            <TextInput readOnly value={url} className="font-mono" onFocus={({ target }) => target.select()} />
          </Field>
        )}
        <FormFailure error={making.error instanceof ApiError ? making.error : undefined} />
        <DialogActions>
          <Button onClick={onClose}>{url === undefined ? 'Cancel' : 'Done'}</Button>
          {url === undefined ? (
            <Button look="primary" icon={Copy} isPending={making.isPending} onClick={() => making.mutate()}>
              Copy link
            </Button>
          ) : (
            <CopyButton text={url} label="Copy link" isWorded />
          )}
        </DialogActions>
      </div>
    </Dialog>
  )
}
