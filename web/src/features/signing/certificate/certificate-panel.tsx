/** The certificate that seals documents, the authority behind it, and the upload of the organization's own. */
import { SealCertificateBody } from '@chancery/contract/signing/certificate.ts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { counted } from '#lib/text/counted.ts'
import { formatDay } from '#lib/time/times.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Confirm, Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { type Certificate, useCertificate, useOwnCertificate } from './api.ts'

/** Only an organization can have a certificate of its own. */
export function CertificatePanel({ canChange }: { canChange: boolean }) {
  const certificate = useCertificate()
  return (
    <Panel
      title="Signing certificate"
      hint="Finished documents are sealed with it, so that any later change shows."
      action={canChange && certificate.data && <Actions certificate={certificate.data} />}
    >
      {certificate.isPending && (
        <Loading label="Loading certificate">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {certificate.isError && <ErrorPanel error={certificate.error} onRetry={certificate.refetch} />}
      {certificate.data && <Details certificate={certificate.data} />}
    </Panel>
  )
}

function Details({ certificate: { owner, subject, issuer, validTo, isSelfMade, expiresInDays } }: Props) {
  const issued: ReactNode = isSelfMade ? 'Made by this server' : issuer
  return (
    <div className="flex flex-col gap-4">
      {isSelfMade && (
        <p className="text-soft">
          This server made the certificate itself. It proves that a file is unchanged, but PDF readers can’t confirm who
          sealed it. Use one from a certificate authority for that.
        </p>
      )}
      <Facts
        items={[
          { term: 'Used by', value: owner === 'organization' ? 'Your organization' : 'Everyone on this server' },
          { term: 'Name', value: <span className="break-words">{subject}</span> },
          { term: 'Issued by', value: <span className="break-words">{issued}</span> },
          {
            term: 'Valid until',
            value: (
              <span className="flex flex-wrap items-center justify-end gap-2">
                {expiresInDays !== null && (
                  <Badge tone={expiresInDays < 0 ? 'bad' : 'warn'}>{expiryText(expiresInDays)}</Badge>
                )}
                {formatDay(new Date(validTo))}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

interface Props {
  certificate: Certificate
}

const expiryText = (days: number): string => {
  if (days < 0) return 'Expired'
  return days === 0 ? 'Expires today' : `Expires in ${counted(days, 'day')}`
}

function Actions({ certificate: { owner } }: Props) {
  const { remove } = useOwnCertificate()
  const [open, setOpen] = useState<'add' | 'remove'>()
  const close = () => setOpen(undefined)
  const removing = useMutation({ mutationFn: remove, onSuccess: close, onError: toast.failed })
  const hasOwn = owner === 'organization'
  return (
    <div className="flex gap-2">
      {hasOwn && (
        <Button size="small" onClick={() => setOpen('remove')}>
          Remove
        </Button>
      )}
      <Button size="small" onClick={() => setOpen('add')}>
        {hasOwn ? 'Replace' : 'Use your own'}
      </Button>
      {open === 'add' && <AddDialog onClose={close} />}
      <Confirm
        title="Remove your certificate?"
        loss="Documents are then sealed with the server’s certificate. What is sealed already stays valid."
        action="Remove certificate"
        isOpen={open === 'remove'}
        isPending={removing.isPending}
        onConfirm={() => removing.mutate()}
        onClose={close}
      />
    </div>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { save } = useOwnCertificate()
  const form = useForm({
    schema: SealCertificateBody,
    send: async (body) => {
      await save(body)
      onClose()
      toast.done('Certificate saved')
    },
    fieldOfCode: { seal_key_refused: 'pem' },
  })
  return (
    <Dialog
      isOpen
      title="Use your own certificate"
      hint="From a certificate authority of your choice."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field
          label="Key and certificates (PEM)"
          name="pem"
          help="The private key without a password, the certificate, then its chain. Stored encrypted. You won’t see it again."
          problem={form.problems.pem}
        >
          <TextArea rows={8} spellCheck={false} autoComplete="off" className="font-mono text-sm" />
        </Field>
        <DialogFormActions form={form} onCancel={onClose}>
          Save
        </DialogFormActions>
      </form>
    </Dialog>
  )
}
