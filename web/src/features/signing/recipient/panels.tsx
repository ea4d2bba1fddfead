/** The steps around the fields: read, agree to sign electronically, finish. */
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { type Facts, useConsent } from './api.ts'
import { Failure, Panel } from './dock.tsx'
import { failureText, useSigning } from './signing-context.ts'

interface ReadPanelProps {
  facts: Facts
  fieldCount: number
  onBegin: () => void
}

export function ReadPanel({ facts, fieldCount, onBegin }: ReadPanelProps) {
  const { texts } = useSigning()
  const isApprover = facts.recipient.role === 'APPROVER'
  if (!facts.canComplete) return <Panel title={facts.document.title} hint={texts.read.viewHint} actions={null} />
  const hint = fieldCount === 0 ? texts.read.approveHint : texts.read.hint(fieldCount)
  return (
    <Panel
      title={facts.document.title}
      hint={hint}
      actions={
        <Button look="primary" size="large" onClick={onBegin}>
          {isApprover ? texts.read.beginApproval : texts.read.begin}
        </Button>
      }
    >
      {facts.fields.some(({ isMine, isPrefilled }) => isMine && isPrefilled) && (
        <p className="text-soft text-sm">{texts.read.prefilled(facts.document.sender.name)}</p>
      )}
    </Panel>
  )
}

interface ConsentPanelProps {
  facts: Facts
  onAgreed: () => void
  onBack: () => void
}

export function ConsentPanel({ facts, onAgreed, onBack }: ConsentPanelProps) {
  const wording = useSigning()
  const { token, texts } = wording
  const [isTicked, setTicked] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const consent = useConsent(token)
  const submit = () => {
    setMissing(!isTicked)
    if (isTicked && !consent.isPending) consent.mutate(undefined, { onSuccess: onAgreed })
  }
  return (
    <Panel
      title={texts.consent.title}
      onSubmit={submit}
      actions={
        <>
          <Button size="large" onClick={onBack}>
            {texts.back}
          </Button>
          <Button type="submit" look="primary" size="large" isPending={consent.isPending}>
            {texts.consent.submit}
          </Button>
        </>
      }
    >
      <p className="max-h-40 overflow-y-auto text-soft">{facts.consent.text}</p>
      <label className="flex items-center gap-3 py-1 font-medium">
        <input
          data-first
          type="checkbox"
          checked={isTicked}
          aria-invalid={isMissing && !isTicked ? true : undefined}
          onChange={({ target }) => setTicked(target.checked)}
          className="size-5 shrink-0 accent-seal"
        />
        {texts.consent.agree}
      </label>
      <Failure text={isMissing && !isTicked ? texts.consent.missing : undefined} />
      <Failure text={consent.error ? failureText(wording, consent.error) : undefined} />
    </Panel>
  )
}

interface FinishPanelProps {
  isApproval: boolean
  isPending: boolean
  failure: string | undefined
  onFinish: () => void
  onBack: () => void
}

export function FinishPanel({ isApproval, isPending, failure, onFinish, onBack }: FinishPanelProps) {
  const { texts } = useSigning()
  return (
    <Panel
      title={isApproval ? texts.finish.approveTitle : texts.finish.title}
      progress={1}
      onSubmit={onFinish}
      actions={
        <>
          <Button size="large" onClick={onBack}>
            {texts.back}
          </Button>
          <Button type="submit" look="primary" size="large" isPending={isPending}>
            {isApproval ? texts.finish.approve : texts.finish.sign}
          </Button>
        </>
      }
    >
      <p className="text-soft">{texts.finish.hint}</p>
      <Failure text={failure} />
    </Panel>
  )
}
