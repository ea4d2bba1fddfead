/** A recipient's first page. Opening is a button: a mail scanner that follows the link must not count as a reader. */
import { Button } from '#ui/button/button.tsx'
import { type Facts, useOpen } from './api.ts'
import { Failure } from './dock.tsx'
import { failureText, useSigning } from './signing-context.ts'

export function StartStep({ facts, onOpened }: { facts: Facts; onOpened: () => void }) {
  const wording = useSigning()
  const { token, language, texts, Card } = wording
  const open = useOpen(token)
  const { document, recipient } = facts
  const sender = document.sender.organization
    ? `${document.sender.name} (${document.sender.organization})`
    : document.sender.name
  const asks = { SIGNER: texts.start.asksToSign, APPROVER: texts.start.asksToApprove }
  const ask =
    recipient.role === 'SIGNER' || recipient.role === 'APPROVER' ? asks[recipient.role] : texts.start.sharesCopy
  const pages = document.files.reduce((sum, { pageCount }) => sum + pageCount, 0)
  const messages = [document.message, recipient.message].filter((message) => message !== null && message !== '')
  return (
    <Card title={document.title} hint={ask(sender)}>
      <div className="flex flex-col gap-5">
        {messages.map((message) => (
          <blockquote key={message} className="whitespace-pre-wrap border-rule border-s-2 ps-3 text-soft">
            {message}
          </blockquote>
        ))}
        {document.summary !== null && (
          <section aria-label={texts.start.summary} className="rounded-panel border bg-sunken px-4 py-3">
            <h2 className="font-medium">{texts.start.summary}</h2>
            <p className="mt-1 whitespace-pre-wrap">{document.summary}</p>
            <p className="mt-2 text-faint text-sm">{texts.start.machineMade}</p>
          </section>
        )}
        <Failure text={open.error ? failureText(wording, open.error) : undefined} />
        <Button
          look="primary"
          size="large"
          isPending={open.isPending}
          onClick={() => open.mutate(undefined, { onSuccess: onOpened })}
        >
          {texts.start.open}
        </Button>
        <p className="text-center text-faint text-sm">
          {texts.start.pages(pages)}
          {document.expiresAt !== null && ` · ${texts.start.expires(formatDate(document.expiresAt, language))}`}
        </p>
      </div>
    </Card>
  )
}

const formatDate = (at: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(at))
