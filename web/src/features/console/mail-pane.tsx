/** One email. Its text is available only until it has been sent. */

import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useMail } from './api.ts'
import { mailStates } from './outbox-list.tsx'

export function MailPane({ id }: { id: string }) {
  const mail = useMail(id)
  if (mail.isPending) return <MailSkeleton />
  if (mail.isError) return <ErrorPanel error={mail.error} onRetry={mail.refetch} />
  const { subject, to, status, attempts, error, createdAt, sentAt, text } = mail.data
  const { tone, word } = mailStates[status]
  return (
    <article>
      <header className="border-b pb-4">
        <div className="flex items-start justify-between gap-4">
          <h2 className="font-medium font-serif text-lg">{subject}</h2>
          <Badge tone={tone}>{word}</Badge>
        </div>
        <p className="mt-1 text-soft text-sm">
          To {to}, created <Time at={createdAt} />
          {sentAt !== null && (
            <>
              , sent <Time at={sentAt} />
            </>
          )}
          {attempts > 1 && `, after ${attempts} attempts`}
        </p>
        {error !== null && <p className="mt-2 text-bad text-sm">{error}</p>}
      </header>
      {text === null ? (
        <p className="pt-5 text-soft">This email has been sent. Links and codes aren’t kept after sending.</p>
      ) : (
        <>
          <p className="whitespace-pre-wrap break-words pt-5 leading-6">{withLinks(text)}</p>
          <CopyLink text={text} />
        </>
      )}
    </article>
  )
}

const link = /(https?:\/\/[^\s<>"]+)/

/** Without a mail server, the admin hands the link to the person it is for. */
function CopyLink({ text }: { text: string }) {
  const [url] = link.exec(text) ?? []
  if (url === undefined) return null
  return (
    <div className="mt-5">
      <CopyButton text={url} label="Copy link" isWorded />
    </div>
  )
}

/** Splitting on a captured group puts the links at the odd indexes. */
const withLinks = (text: string) =>
  text.split(link).map((part, index) =>
    index % 2 === 1 ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never reorder
        key={index}
        href={part}
        rel="noopener noreferrer"
        className="break-all text-seal-text underline underline-offset-4"
      >
        {part}
      </a>
    ) : (
      part
    ),
  )

const MailSkeleton = () => (
  <Loading label="Loading email">
    <div className="flex flex-col gap-3">
      <Skeleton className="h-6 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="mt-6 h-32" />
    </div>
  </Loading>
)
