/** Opened by the link at the end of our emails: not for me, or no more emails from this sender. Shows no document. */
import { type ComponentType, type FormEvent, useMemo, useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { type StopReason, stopUntil, useFacts, useResume, useStop } from './api.ts'
import { Failure } from './dock.tsx'
import { type CardProps, failureText, SigningContext, useSigning } from './signing-context.ts'
import { browserLanguage, useWording } from './texts/texts.ts'

interface StopViewProps {
  token: string
  Card: ComponentType<CardProps>
}

export function StopView({ token, Card }: StopViewProps) {
  const facts = useFacts(token)
  const wording = useWording(facts.data?.language ?? browserLanguage(navigator.languages))
  const { language, direction, texts } = wording
  const value = useMemo(() => ({ token, Card, language, direction, texts }), [token, Card, language, direction, texts])
  const [done, setDone] = useState<StopReason>()
  const isGone = facts.error instanceof ApiError && facts.error.status === 404 && done === undefined
  return (
    <SigningContext value={value}>
      <div lang={language} dir={direction}>
        {isGone ? (
          <Card title={texts.link.title} hint={texts.link.hint} />
        ) : done === undefined ? (
          <StopForm onDone={setDone} />
        ) : (
          <Stopped reason={done} />
        )}
      </div>
    </SigningContext>
  )
}

const row = 'flex items-start gap-3 rounded-control border px-3 py-3 has-checked:border-ink'

function StopForm({ onDone }: { onDone: (reason: StopReason) => void }) {
  const wording = useSigning()
  const { token, texts, Card } = wording
  const [reason, setReason] = useState<StopReason>()
  const stop = useStop(token)
  const options = [
    { value: stopUntil.notMe, label: texts.stop.notMe, hint: texts.stop.notMeHint },
    { value: stopUntil.noMore, label: texts.stop.noMore, hint: texts.stop.noMoreHint },
  ] as const
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason !== undefined && !stop.isPending) stop.mutate(reason, { onSuccess: () => onDone(reason) })
  }
  return (
    <Card title={texts.stop.title} hint={texts.stop.hint}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">{texts.stop.what}</legend>
          {options.map(({ value, label, hint }) => (
            <label key={value} className={row}>
              <input
                type="radio"
                name="reason"
                checked={reason === value}
                onChange={() => setReason(value)}
                className="mt-1 size-4 shrink-0 accent-seal"
              />
              <span>
                <span className="block font-medium">{label}</span>
                <span className="block text-soft text-sm">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Failure text={stop.error ? failureText(wording, stop.error) : undefined} />
        <Button
          type="submit"
          look="primary"
          size="large"
          className="w-full"
          disabled={reason === undefined}
          isPending={stop.isPending}
        >
          {texts.stop.submit}
        </Button>
      </form>
    </Card>
  )
}

function Stopped({ reason }: { reason: StopReason }) {
  const wording = useSigning()
  const { token, texts, Card } = wording
  const resume = useResume(token)
  if (reason === stopUntil.notMe) return <Card title={texts.stop.toldTitle} hint={texts.stop.toldHint} />
  if (resume.isSuccess) return <Card title={texts.stop.undone} hint={texts.stop.stoppedHint} />
  return (
    <Card title={texts.stop.stoppedTitle} hint={texts.stop.stoppedHint}>
      <Failure text={resume.error ? failureText(wording, resume.error) : undefined} />
      <Button size="large" className="w-full" isPending={resume.isPending} onClick={() => resume.mutate()}>
        {texts.stop.undo}
      </Button>
    </Card>
  )
}
