/** The second step: the six-digit code from the email. */
import { useRef, useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { useForm } from '#lib/form/form.ts'
import { useCountdown } from '#lib/time/use-countdown.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { OtpInput } from '#ui/form/otp-input.tsx'
import { type Challenge, resendCode, shapes, verifyCode } from './api.ts'

interface CodeFormProps {
  challenge: Challenge
  onSignedIn: () => void
  onBack: () => void
}

export function CodeForm({ challenge, onSignedIn, onBack }: CodeFormProps) {
  const [digits, setDigits] = useState('')
  const formRef = useRef<HTMLFormElement>(null)
  const form = useForm({
    schema: shapes.otp,
    // A pasted code may contain spaces when the sixth digit submits the form.
    body: ({ otp }) => ({ challengeId: challenge.challengeId, otp: (otp ?? '').replace(/\D/g, '') }),
    fieldOfCode: { invalid_otp: 'otp' },
    send: async (body) => {
      try {
        await verifyCode(body)
      } catch (error) {
        setDigits('')
        throw error
      }
      onSignedIn()
    },
  })
  return (
    <form ref={formRef} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Six-digit code"
        name="otp"
        problem={form.problems.otp}
        help={`Valid for ${Math.round(challenge.expiresIn / 60)} minutes.`}
      >
        <OtpInput value={digits} onChange={setDigits} onComplete={() => formRef.current?.requestSubmit()} />
      </Field>
      <NoMailNote>Your platform admin can tell you the code.</NoMailNote>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Sign in
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Resend challenge={challenge} />
        <Button look="quiet" size="small" onClick={onBack}>
          Use a different email
        </Button>
      </div>
    </form>
  )
}

function Resend({ challenge }: { challenge: Challenge }) {
  const [secondsLeft, restart] = useCountdown(challenge.resendAfter)
  const hasMail = useHasMailServer() !== false
  const resend = async () => {
    try {
      const next = await resendCode(challenge.challengeId)
      restart(next.resendAfter)
      toast.done(hasMail ? 'New code sent' : 'Your platform admin has a new code')
    } catch (error) {
      toast.failed(error)
    }
  }
  return (
    <Button look="quiet" size="small" className="figures" disabled={secondsLeft > 0} onClick={() => void resend()}>
      {secondsLeft > 0 ? `Resend code in ${secondsLeft} s` : 'Resend code'}
    </Button>
  )
}
