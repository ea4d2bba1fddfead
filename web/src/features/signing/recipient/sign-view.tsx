/** The page behind a mailed link: decides what the recipient can do now. */
import { type ComponentType, useMemo, useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { Loading, Skeleton } from '#ui/feedback/states.tsx'
import { type Facts, useFacts } from './api.ts'
import { CodeStep } from './code-step.tsx'
import { ClosedStep, DoneStep, reasonOf } from './end-steps.tsx'
import { Signing } from './signing.tsx'
import { type CardProps, failureText, SigningContext, useSigning } from './signing-context.ts'
import { StartStep } from './start-step.tsx'
import { browserLanguage, useWording } from './texts/texts.ts'

interface SignViewProps {
  token: string
  /** The frame of pages with a single message. */
  Card: ComponentType<CardProps>
}

export function SignView({ token, Card }: SignViewProps) {
  const facts = useFacts(token)
  const wording = useWording(facts.data?.language ?? browserLanguage(navigator.languages))
  const { language, direction, texts } = wording
  const value = useMemo(() => ({ token, Card, language, direction, texts }), [token, Card, language, direction, texts])
  return (
    <SigningContext value={value}>
      <div lang={language} dir={direction}>
        {facts.isPending || wording.isLoading ? <LoadingCard /> : <Loaded facts={facts} />}
      </div>
    </SigningContext>
  )
}

/** A link that was replaced while the page was open ends the page too. */
const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

function Loaded({ facts: { data, error, refetch } }: { facts: ReturnType<typeof useFacts> }) {
  if (error && (data === undefined || isGone(error))) return <FailedCard error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  return data.otpRequired ? <CodeStep email={data.email} /> : <Steps facts={data} />
}

function Steps({ facts }: { facts: Facts }) {
  const { texts, Card } = useSigning()
  const [delegatedTo, setDelegatedTo] = useState<string>()
  const [isOpened, setOpened] = useState(false)
  if (delegatedTo !== undefined)
    return <Card title={texts.delegate.doneTitle} hint={texts.delegate.done(delegatedTo)} />
  const isSealing = facts.document.state === 'SEALING' || facts.document.state === 'SEAL_FAILED'
  if (facts.recipient.state === 'SIGNED' || facts.canDownload || isSealing) return <DoneStep facts={facts} />
  const reason = reasonOf(facts)
  if (reason !== undefined) return <ClosedStep reason={reason} />
  if (facts.recipient.state === 'NOTIFIED' && !isOpened)
    return <StartStep facts={facts} onOpened={() => setOpened(true)} />
  return <Signing facts={facts} onDelegated={setDelegatedTo} />
}

function LoadingCard() {
  const { texts, Card } = useSigning()
  return (
    <Card title={texts.loading}>
      <Loading label={texts.loading}>
        <div className="flex flex-col gap-4">
          <Skeleton className="h-4" />
          <Skeleton className="h-10" />
        </div>
      </Loading>
    </Card>
  )
}

function FailedCard({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const wording = useSigning()
  const { texts, Card } = wording
  if (isGone(error)) return <Card title={texts.link.title} hint={texts.link.hint} />
  return (
    <Card title={texts.pdfFailed} hint={failureText(wording, error)}>
      <Button look="primary" size="large" className="w-full" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </Card>
  )
}
