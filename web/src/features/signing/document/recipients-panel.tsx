/** The recipients' progress, and ways to reach one whose email didn't arrive. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { CircleAlert, Copy, Ellipsis, MailPlus, Pencil, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { Button, IconButton } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { type Recipient, useResend } from '../documents/api.ts'
import { codesStay, recipientLabels, roleLabels } from '../documents/labels.tsx'
import { AddressDialog, CopyLinkDialog, ReplaceDialog } from './recipient-dialogs.tsx'

export function RecipientsPanel({ document }: { document: SigningDocument }) {
  const isSequential = document.signingOrder === 'SEQUENTIAL'
  const inOrder = document.recipients.toSorted((one, other) => one.order - other.order)
  return (
    <Panel title="Recipients" hint={isSequential ? 'One after another' : 'All at the same time'}>
      {document.state === 'SENT' && (
        <div className="mb-4 empty:hidden">
          <NoMailNote>
            Copy each link and send it to the recipient yourself.{document.emailOtp && ` ${codesStay}`}
          </NoMailNote>
        </div>
      )}
      <ul className="divide-y divide-line">
        {inOrder.map((recipient) => (
          <li key={recipient.id} className="py-3 first:pt-0 last:pb-0">
            <Row document={document} recipient={recipient} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const openStates: readonly Recipient['state'][] = ['PENDING', 'NOTIFIED', 'OPENED']

/** The recipient's state, or the reason why they can't act on it yet: their email didn't arrive, or they refused it. */
const stateOf = ({ state, mail, refusesMail }: Recipient): (typeof recipientLabels)[Recipient['state']] => {
  if (openStates.includes(state) && refusesMail !== null)
    return { label: refusesMail === 'NOT_ME' ? 'Not the right person' : 'No emails wanted', tone: 'warn' }
  if (state !== 'NOTIFIED') return recipientLabels[state]
  if (mail?.status === 'kept') return { label: 'Not emailed', tone: 'warn' }
  return mail?.status === 'failed' ? { label: 'Email failed', tone: 'bad' } : recipientLabels[state]
}

function Row({ document, recipient }: { document: SigningDocument; recipient: Recipient }) {
  const { label, tone } = stateOf(recipient)
  const hasMail = useHasMailServer() !== false
  const isOpen = document.state === 'SENT' && openStates.includes(recipient.state)
  const isFailed = recipient.mail?.status === 'failed'
  const isKept = recipient.mail?.status === 'kept'
  const isRefusing = recipient.refusesMail !== null
  const canCopy = isOpen && recipient.state !== 'PENDING' && (isFailed || isKept || isRefusing || !hasMail)
  const happenedAt = recipient.signedAt ?? recipient.openedAt ?? recipient.notifiedAt
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-3">
        <Avatar name={recipient.name} />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{recipient.name}</p>
          <p className="text-faint text-sm [overflow-wrap:anywhere]">{recipient.email}</p>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-faint text-sm">
            <Badge tone={tone}>{label}</Badge>
            {roleLabels[recipient.role].label}
            {happenedAt !== null && <Time at={happenedAt} />}
          </p>
          {canCopy && <CopyLink document={document} recipient={recipient} />}
        </div>
        {isOpen && <Actions document={document} recipient={recipient} canSend={hasMail && !isRefusing} />}
      </div>
      {recipient.declineReason !== null && (
        <p className="rounded-control bg-sunken px-3 py-2 text-soft">“{recipient.declineReason}”</p>
      )}
      {isOpen && recipient.refusesMail !== null && (
        <p className="rounded-control bg-warn-wash px-3 py-2 text-sm text-warn">
          {refusalHints[recipient.refusesMail]}
        </p>
      )}
      {isOpen && isFailed && <MailFailure document={document} recipient={recipient} />}
    </div>
  )
}

const refusalHints: Record<NonNullable<Recipient['refusesMail']>, string> = {
  NOT_ME: 'They say that this isn’t for them. Correct the email, or replace them.',
  NO_MORE_MAIL: 'They want no emails from you, so they get no reminders. Copy the link for them, or replace them.',
}

interface RowProps {
  document: SigningDocument
  recipient: Recipient
}

function CopyLink({ document, recipient }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={Copy} className="mt-2" onClick={() => setOpen(true)}>
        Copy link
      </Button>
      {isOpen && <CopyLinkDialog documentId={document.id} recipient={recipient} onClose={() => setOpen(false)} />}
    </>
  )
}

function Actions({ document, recipient, canSend }: RowProps & { canSend: boolean }) {
  const [open, setOpen] = useState<'address' | 'replace'>()
  const resend = useResend(document.id)
  const close = () => setOpen(undefined)
  const send = () =>
    resend.mutate(
      { recipientId: recipient.id },
      { onSuccess: () => toast.done(`New link sent to ${recipient.email}`), onError: toast.failed },
    )
  return (
    <span className="relative">
      <Menu trigger={<IconButton label={`Actions for ${recipient.name}`} icon={Ellipsis} />}>
        {canSend && recipient.state !== 'PENDING' && (
          <MenuItem icon={MailPlus} onSelect={send}>
            Send a new link
          </MenuItem>
        )}
        {recipient.state !== 'PENDING' && (
          <MenuItem icon={Pencil} onSelect={() => setOpen('address')}>
            Correct email
          </MenuItem>
        )}
        <MenuItem icon={UserRoundPen} onSelect={() => setOpen('replace')}>
          Replace recipient
        </MenuItem>
      </Menu>
      {open === 'address' && <AddressDialog documentId={document.id} recipient={recipient} onClose={close} />}
      {open === 'replace' && <ReplaceDialog documentId={document.id} recipient={recipient} onClose={close} />}
    </span>
  )
}

function MailFailure({ document, recipient }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-control bg-bad-wash px-3 py-2 text-sm">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
      <span className="min-w-0 flex-1">The email couldn’t be delivered. {recipient.mail?.error}</span>
      <Button size="small" onClick={() => setOpen(true)}>
        Correct email
      </Button>
      {isOpen && <AddressDialog documentId={document.id} recipient={recipient} onClose={() => setOpen(false)} />}
    </div>
  )
}
