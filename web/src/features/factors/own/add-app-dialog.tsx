/** Sets up an authenticator app: a picture to scan or a key to type, and the first code that the app shows. */
import { ConfirmTotpBody } from '@chancery/contract/accounts/factors.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { OtpInput } from '#ui/form/otp-input.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { addApp, confirmApp } from '../api.ts'
import type { AddFactorProps } from './add-passkey-dialog.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

export function AddAppDialog(props: AddFactorProps) {
  // Begun anew each time the dialog opens, and never again while it is open.
  const begun = useQuery({ queryKey: ['new-app'], queryFn: addApp, gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  return (
    <Dialog
      title="Add an authenticator app"
      hint="Scan the picture with an app such as 1Password, Google Authenticator or Aegis, then enter the code it shows."
      isOpen
      isDisposable
      onClose={props.onClose}
    >
      {begun.isPending && (
        <Loading label="Loading the key">
          <Skeleton className="size-44" />
        </Loading>
      )}
      {begun.isError && <ErrorPanel error={begun.error} onRetry={begun.refetch} />}
      {begun.isSuccess && <Setup {...begun.data} {...props} />}
    </Dialog>
  )
}

interface SetupProps extends AddFactorProps {
  id: string
  secret: string
  otpauthUrl: string
}

function Setup({ id, secret, otpauthUrl, onAdded, onClose }: SetupProps) {
  const [digits, setDigits] = useState('')
  const formRef = useRef<HTMLFormElement>(null)
  const form = useForm({
    schema: ConfirmTotpBody,
    body: ({ code = '' }) => ({ code: code.replace(/\D/g, '') }),
    fieldOfCode: { wrong_code: 'code' },
    send: async ({ code }) => {
      try {
        onAdded(await confirmApp(id, code))
      } catch (error) {
        setDigits('')
        throw error
      }
    },
  })
  return (
    <form ref={formRef} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-5">
        <Suspense fallback={<Skeleton className="size-44" />}>
          <QrCode text={otpauthUrl} label="QR code for your authenticator app" />
        </Suspense>
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium text-sm">Can’t scan it? Type this key.</p>
          <p className="mt-1 flex items-center gap-1 text-sm">
            <span className="break-all font-mono">{inFours(secret)}</span>
            <CopyButton text={secret} label="Copy key" />
          </p>
        </div>
      </div>
      <Field label="Six-digit code" name="code" problem={form.problems.code} help="The one the app shows now.">
        <OtpInput value={digits} onChange={setDigits} onComplete={() => formRef.current?.requestSubmit()} />
      </Field>
      <DialogFormActions form={form} onCancel={onClose}>
        Add app
      </DialogFormActions>
    </form>
  )
}

const inFours = (secret: string) => secret.replace(/.{4}(?=.)/g, '$& ')
