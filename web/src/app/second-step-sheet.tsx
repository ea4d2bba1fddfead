/** The second step of a sign-in on a page of its own; its title says what to do. */
import type { SecondStep as Method } from '@chancery/contract/accounts/factors.ts'
import { useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import type { Side } from '#data/viewer.ts'
import type { Challenge } from '#features/factors/api.ts'
import { firstWay, isCodeSent, SecondStep } from '#features/factors/second-step.tsx'
import { Sheet } from './frames/sheet.tsx'

export interface DueStep {
  challenge: Challenge
  email: string
}

interface SecondStepSheetProps extends DueStep {
  side: Side
  onSignedIn: () => void
  onBack: () => void
}

export function SecondStepSheet({ email, ...step }: SecondStepSheetProps) {
  const [way, setWay] = useState(() => firstWay(step.challenge))
  const [isSent, setSent] = useState(() => isCodeSent(step.challenge))
  const hasMail = useHasMailServer() !== false
  const { title, hint } = headOf(way, { email, isSent, hasMail })
  return (
    <Sheet title={title} hint={hint}>
      <SecondStep {...step} way={way} onWay={setWay} isSent={isSent} onSent={() => setSent(true)} />
    </Sheet>
  )
}

interface Facts {
  email: string
  isSent: boolean
  hasMail: boolean
}

const headOf = (way: Method, { email, isSent, hasMail }: Facts): { title: string; hint: string } => {
  if (way === 'passkey') return { title: 'Use your passkey', hint: `To finish signing in as ${email}.` }
  if (way === 'totp') return { title: 'Enter your code', hint: `Signing in as ${email}.` }
  if (way === 'recovery') return { title: 'Use a recovery code', hint: `Signing in as ${email}.` }
  if (!isSent) return { title: 'Get a code by email', hint: `We’ll send it to ${email}.` }
  // Without a mail server, the form says who has the code.
  return hasMail
    ? { title: 'Check your email', hint: `We sent a code to ${email}.` }
    : { title: 'Enter your code', hint: `Signing in as ${email} needs a code.` }
}
