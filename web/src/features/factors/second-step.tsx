/** The second step of a sign-in, by one of the ways that the account has. */
import type { SecondStep as Method } from '@chancery/contract/accounts/factors.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { NoMailNote } from '#data/no-mail-note.tsx'
import type { Side } from '#data/viewer.ts'
import { canUsePasskeys } from '#lib/browser/can-use-passkeys.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { useCountdown } from '#lib/time/use-countdown.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { OtherWays } from './answer/other-ways.tsx'
import { WayForm } from './answer/way-form.tsx'
import { usableWays } from './answer/ways.ts'
import { askForChallenge, type Challenge, finishSignIn, sendCode } from './api.ts'

export const firstWay = ({ methods }: Pick<Challenge, 'methods'>): Method =>
  usableWays(methods, canUsePasskeys())[0] ?? 'email'

/** A code is emailed at once where that is the first way; else when somebody asks for it. */
export const isCodeSent = ({ methods }: Pick<Challenge, 'methods'>): boolean => methods[0] === 'email'

interface SecondStepProps {
  side: Side
  challenge: Challenge
  way: Method
  onWay: (way: Method) => void
  /** A code is on its way. */
  isSent: boolean
  onSent: () => void
  onSignedIn: () => void
  onBack: () => void
}

export function SecondStep({ side, challenge, way, onWay, isSent, onSent, onSignedIn, onBack }: SecondStepProps) {
  const { challengeId, canRememberBrowser } = challenge
  const [remembers, setRemembers] = useState(false)
  const [resendAfter, setResendAfter] = useState(challenge.resendAfter)
  const ways = usableWays(challenge.methods, canUsePasskeys())
  if (way === 'email' && !isSent) {
    return (
      <div className="flex flex-col gap-5">
        <FirstCode
          side={side}
          challengeId={challengeId}
          onSent={(after) => {
            setResendAfter(after)
            onSent()
          }}
        />
        <Foot onBack={onBack}>
          <OtherWays ways={ways} way={way} onWay={onWay} />
        </Foot>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <WayForm
        way={way}
        ask={() => askForChallenge(side, challengeId)}
        send={async (answer) => {
          await finishSignIn(side, { challengeId, answer, remembers })
          onSignedIn()
        }}
        action="Sign in"
      >
        {way === 'email' && <NoMailNote>Your platform admin can tell you the code.</NoMailNote>}
        {canRememberBrowser && way !== 'recovery' && <Remember isOn={remembers} onChange={setRemembers} />}
      </WayForm>
      <Foot onBack={onBack}>
        {way === 'email' && <Resend side={side} challengeId={challengeId} after={resendAfter} />}
        <OtherWays key={way} ways={ways} way={way} onWay={onWay} />
      </Foot>
    </div>
  )
}

const Foot = ({ onBack, children }: { onBack: () => void; children: React.ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-2">
    {children}
    <Button look="quiet" size="small" onClick={onBack}>
      Use a different email
    </Button>
  </div>
)

const Remember = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <label className="flex items-center gap-2.5 text-sm">
    <input
      type="checkbox"
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
      className="size-4 shrink-0 accent-seal"
    />
    Don’t ask this browser for 30 days
  </label>
)

interface CodeProps {
  side: Side
  challengeId: string
}

function FirstCode({ side, challengeId, onSent }: CodeProps & { onSent: (resendAfter: number) => void }) {
  const sending = useMutation({
    mutationFn: () => sendCode(side, challengeId),
    onSuccess: ({ resendAfter }) => onSent(resendAfter),
  })
  return (
    <>
      <NoMailNote>Your platform admin can tell you the code.</NoMailNote>
      <FormFailure error={sending.error instanceof ApiError ? sending.error : undefined} />
      <Button look="primary" size="large" isPending={sending.isPending} onClick={() => sending.mutate()}>
        Send code
      </Button>
    </>
  )
}

function Resend({ side, challengeId, after }: CodeProps & { after: number }) {
  const [secondsLeft, restart] = useCountdown(after)
  const hasMail = useHasMailServer() !== false
  const resend = async () => {
    try {
      restart((await sendCode(side, challengeId)).resendAfter)
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
