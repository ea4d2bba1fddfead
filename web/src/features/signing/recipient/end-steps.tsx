/** When there is nothing left to do: signed, passed on, or closed. */
import { Check, Download } from 'lucide-react'
import { buttonLook } from '#ui/button/button.tsx'
import { certificateUrl, downloadUrl, type Facts } from './api.ts'
import { useSigning } from './signing-context.ts'

export function DoneStep({ facts }: { facts: Facts }) {
  const { token, texts, Card } = useSigning()
  const { recipient, document, canDownload } = facts
  const title =
    recipient.state !== 'SIGNED'
      ? texts.done.completed
      : recipient.role === 'APPROVER'
        ? texts.done.approved
        : texts.done.signed
  const isWaiting = document.state === 'SENT'
  return (
    <Card title={title} hint={canDownload ? texts.done.allSigned : isWaiting ? texts.done.waiting : texts.done.sealing}>
      <div className="flex flex-col gap-6">
        {canDownload && (
          <div className="flex flex-col gap-3">
            <a href={downloadUrl(token)} download className={`${buttonLook('primary', 'large')} w-full`}>
              <Download aria-hidden className="size-4" />
              {texts.done.download}
            </a>
            <a href={certificateUrl(token)} download className={`${buttonLook('plain', 'large')} w-full`}>
              {texts.done.certificate}
            </a>
          </div>
        )}
        <People facts={facts} />
      </div>
    </Card>
  )
}

function People({ facts }: { facts: Facts }) {
  const { texts } = useSigning()
  return (
    <section aria-label={texts.done.people}>
      <ul className="divide-y divide-line border-y">
        {facts.recipients.map(({ name, role, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two people can have one name, and the order is fixed
          <li key={index} className="flex items-center justify-between gap-4 py-2.5">
            <span className="min-w-0 truncate">{name}</span>
            <span className="flex shrink-0 items-center gap-1.5 text-soft text-sm">
              {state === 'SIGNED' && <Check aria-hidden className="size-4 text-ok" />}
              {role === 'VIEWER' || role === 'CC' ? texts.done.receivesCopy : texts.done.states[state]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Reason = 'declined' | 'declinedByOther' | 'cancelled' | 'expired' | 'notYourTurn' | 'other'

/** Why a link can't be used now; undefined where it can. */
export function reasonOf({ document, recipient, refusal }: Facts): Reason | undefined {
  if (recipient.state === 'DECLINED') return 'declined'
  if (document.state === 'DECLINED') return 'declinedByOther'
  if (document.state === 'CANCELLED') return 'cancelled'
  if (document.state === 'EXPIRED' || refusal === 'document_expired') return 'expired'
  if (refusal === 'not_your_turn') return 'notYourTurn'
  return document.files.length === 0 ? 'other' : undefined
}

export function ClosedStep({ reason }: { reason: Reason }) {
  const { texts, Card } = useSigning()
  return <Card title={texts.closed[reason]} hint={texts.closed[`${reason}Hint`]} />
}
