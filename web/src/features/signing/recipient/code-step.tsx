/** The mailed code that some documents ask for. Until it is entered, nothing about the document is known here. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { ApiError } from '#lib/problems/api-error.ts'
import { useCountdown } from '#lib/time/use-countdown.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { OtpInput } from '#ui/form/otp-input.tsx'
import { sendCode, useVerifyCode } from './api.ts'
import { Failure } from './dock.tsx'
import { failureText, useSigning } from './signing-context.ts'

export function CodeStep({ email }: { email: string }) {
  const wording = useSigning()
  const { token, texts, Card } = wording
  const hasMail = useHasMailServer() !== false
  const [waitSec, restart] = useCountdown(0)
  const [isSent, setSent] = useState(false)
  const send = useMutation({
    mutationFn: () => sendCode(token),
    onSuccess: ({ resendAfter }) => {
      setSent(true)
      restart(resendAfter)
    },
    onError: (error) => {
      // A code was sent a moment ago, perhaps from another tab: it can still be entered.
      if (!(error instanceof ApiError) || error.retryAfterSec === undefined) return
      setSent(true)
      restart(error.retryAfterSec)
    },
  })
  const isHidden = send.error instanceof ApiError && send.error.retryAfterSec !== undefined
  return (
    <Card title={texts.code.title} hint={hasMail ? texts.code.hint(email) : undefined}>
      <div className="flex flex-col gap-4">
        {isSent && <CodeForm />}
        <NoMailNote opening={texts.code.noMail}>{texts.code.askForCode}</NoMailNote>
        <Failure text={send.error && !isHidden ? failureText(wording, send.error) : undefined} />
        <Button
          look={isSent ? 'quiet' : 'primary'}
          size={isSent ? 'small' : 'large'}
          className="figures"
          disabled={waitSec > 0}
          isPending={send.isPending}
          onClick={() => send.mutate()}
        >
          {waitSec > 0 ? texts.code.resendIn(waitSec) : isSent ? texts.code.resend : texts.code.send}
        </Button>
      </div>
    </Card>
  )
}

function CodeForm() {
  const wording = useSigning()
  const { token, texts } = wording
  const [digits, setDigits] = useState('')
  const formRef = useRef<HTMLFormElement>(null)
  const verify = useVerifyCode(token)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (verify.isPending) return
    // From the form itself: the sixth digit submits it before the state has that digit.
    const otp = String(new FormData(event.currentTarget).get('otp') ?? '').replace(/\D/g, '')
    verify.mutate(otp, { onError: () => setDigits('') })
  }
  const problem = verify.error ? failureText(wording, verify.error) : undefined
  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label={texts.code.label} name="otp" help={texts.code.help} problem={problem}>
        <OtpInput value={digits} onChange={setDigits} onComplete={() => formRef.current?.requestSubmit()} />
      </Field>
      <Button type="submit" look="primary" size="large" isPending={verify.isPending}>
        {texts.code.submit}
      </Button>
    </form>
  )
}
