/** One mail, read. Its text is only there while nobody else has it. */
import { Badge } from '#ui/badge.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
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
          To {to}, written <Time at={createdAt} />
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
        <p className="pt-5 text-soft">It was handed to the mail server. Delivered links and codes are not kept.</p>
      ) : (
        <p className="whitespace-pre-wrap break-words pt-5 leading-6">{withLinks(text)}</p>
      )}
    </article>
  )
}

const link = /(https?:\/\/[^\s<>"]+)/

/** Splitting on a captured group puts the links at the odd places. */
const withLinks = (text: string) =>
  text.split(link).map((part, place) =>
    place % 2 === 1 ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
        key={place}
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
  <Loading label="Loading the mail">
    <div className="flex flex-col gap-3">
      <Skeleton className="h-6 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="mt-6 h-32" />
    </div>
  </Loading>
)
