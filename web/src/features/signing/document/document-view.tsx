/** A document that was sent: its status, recipients, files and history. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { CircleAlert, Download } from 'lucide-react'
import { formatDay } from '#lib/time/times.ts'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { subtleLink } from '#ui/button/href-link.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { Time } from '#ui/values/time.tsx'
import { AskPanel } from '../ai/ask-panel.tsx'
import { fileUrl, useRetrySeal } from '../documents/api.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { certificateUrl } from './api.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { RecipientsPanel } from './recipients-panel.tsx'

export function DocumentView({ document }: { document: SigningDocument }) {
  return (
    <>
      {document.state === 'SEAL_FAILED' && <SealFailure document={document} />}
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <RecipientsPanel document={document} />
          <PreviewPanel document={document} />
          <ActivityPanel document={document} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FilesPanel document={document} />
          <DetailsPanel document={document} />
          <AskPanel documentId={document.id} />
        </div>
      </div>
    </>
  )
}

function SealFailure({ document }: { document: SigningDocument }) {
  const retry = useRetrySeal(document.id)
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-4 rounded-panel border border-bad/30 bg-bad-wash px-5 py-4"
    >
      <CircleAlert aria-hidden className="size-5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">Everyone has signed, but the document couldn’t be sealed.</p>
        {document.sealError !== null && <p className="text-soft">{document.sealError}</p>}
      </div>
      <Button isPending={retry.isPending} onClick={() => retry.mutate(undefined, { onError: toast.failed })}>
        Try again
      </Button>
    </div>
  )
}

/** The page's primary action: the sealed file once there is one. */
export const DownloadLink = ({ document }: { document: SigningDocument }) =>
  document.state === 'COMPLETED' ? (
    <a href={fileUrl(document.id, { version: 'sealed' })} download className={buttonLook('primary')}>
      <Download aria-hidden className="size-4" />
      Download
    </a>
  ) : null

function FilesPanel({ document }: { document: SigningDocument }) {
  return (
    <Panel title="Files">
      <ul className="flex flex-col gap-2">
        {document.state === 'COMPLETED' && (
          <>
            <FileLink href={fileUrl(document.id, { version: 'sealed' })}>Sealed document (PDF)</FileLink>
            <FileLink href={certificateUrl(document.id, 'pdf')}>Certificate of completion (PDF)</FileLink>
            <FileLink href={certificateUrl(document.id, 'json')} name="certificate.json">
              Certificate of completion (JSON)
            </FileLink>
          </>
        )}
        {document.files.map(({ id, name }) => (
          <FileLink key={id} href={fileUrl(document.id, { version: 'original', fileId: id })}>
            {name}
          </FileLink>
        ))}
      </ul>
    </Panel>
  )
}

const FileLink = ({ href, name, children }: { href: string; name?: string; children: string }) => (
  <li className="flex items-start gap-2.5">
    <Download aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
    <a href={href} download={name ?? true} className={`${subtleLink} min-w-0 [overflow-wrap:anywhere]`}>
      {children}
    </a>
  </li>
)

function DetailsPanel({ document }: { document: SigningDocument }) {
  const { seal } = document
  const items = [
    { term: 'Owner', value: document.owner.name },
    { term: 'Sent', value: document.sentAt === null ? '–' : <Time at={document.sentAt} /> },
    { term: 'Expires', value: document.expiresAt === null ? 'Never' : formatDay(new Date(document.expiresAt)) },
    { term: 'Email code', value: document.emailOtp ? 'Required' : 'Not required' },
    { term: 'Reminders', value: document.reminderDays === null ? 'Off' : `Every ${document.reminderDays} days` },
    ...(seal
      ? [
          { term: 'Sealed', value: <Time at={seal.signedAt} /> },
          { term: 'Sealed by', value: seal.signer },
          { term: 'Seal level', value: `PAdES ${seal.level}` },
          { term: 'SHA-256', value: <Hash text={seal.sha256} /> },
        ]
      : []),
  ]
  return (
    <Panel title="Details">
      <Facts items={items} />
    </Panel>
  )
}

const Hash = ({ text }: { text: string }) => (
  <span className="flex items-center gap-1 font-mono text-xs">
    {text.slice(0, 12)}…
    <CopyButton text={text} label="Copy SHA-256" />
  </span>
)
