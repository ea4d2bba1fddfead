/** What few sign-ins need, on either sign-in page: it loads when it does. */
import { type ComponentProps, lazy, Suspense } from 'react'
import { canUsePasskeys } from '#lib/browser/can-use-passkeys.ts'

export const SecondStepSheet = lazy(async () => ({
  default: (await import('./second-step-sheet.tsx')).SecondStepSheet,
}))

const PasskeySignIn = lazy(async () => ({
  default: (await import('#features/factors/passkey-sign-in.tsx')).PasskeySignIn,
}))

/** Nothing where passkeys don't work. */
export const PasskeyEntrance = (props: ComponentProps<typeof PasskeySignIn>) =>
  canUsePasskeys() && (
    <Suspense fallback={<div className="mt-3 h-10" />}>
      <PasskeySignIn {...props} />
    </Suspense>
  )
