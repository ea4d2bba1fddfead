/** The second step: six digits from the mail. */
import { useRef, useState } from 'react'
import { useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { OtpInput } from '#ui/otp-input.tsx'
import { FormFailure } from '#ui/states.tsx'
import { toast } from '#ui/toast.tsx'
import { type Challenge, resendCode, shapes, verifyCode } from './api.ts'
import { useCountdown } from './use-countdown.ts'

interface CodeFormProps {
  challenge: Challenge
  onSignedIn: () => void
  onBack: () => void
}

export function CodeForm({ challenge, onSignedIn, onBack }: CodeFormProps) {
  const [digits, setDigits] = useState('')
  const place = useRef<HTMLFormElement>(null)
  const form = useForm({
    schema: shapes.otp,
    // The field may still hold the spaces of a pasted code when its sixth digit submits it.
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
    <form ref={place} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Six-digit code"
        name="otp"
        problem={form.problems.otp}
        help={`Valid for ${Math.round(challenge.expiresIn / 60)} minutes.`}
      >
        <OtpInput value={digits} onChange={setDigits} onComplete={() => place.current?.requestSubmit()} />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Sign in
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Resend challenge={challenge} />
        <Button look="quiet" size="small" onClick={onBack}>
          Use another address
        </Button>
      </div>
    </form>
  )
}

function Resend({ challenge }: { challenge: Challenge }) {
  const [secondsLeft, restart] = useCountdown(challenge.resendAfter)
  const resend = async () => {
    try {
      const next = await resendCode(challenge.challengeId)
      restart(next.resendAfter)
      toast.done('A new code is on its way.')
    } catch (error) {
      toast.failed(error)
    }
  }
  return (
    <Button look="quiet" size="small" className="figures" disabled={secondsLeft > 0} onClick={() => void resend()}>
      {secondsLeft > 0 ? `Send another code in ${secondsLeft} s` : 'Send another code'}
    </Button>
  )
}
