/** Sets up or shows the second factor that a session lacks. */
import type { FactorList } from '@chancery/contract/accounts/factors.ts'
import { Fingerprint, type LucideIcon, Smartphone } from 'lucide-react'
import { canUsePasskeys } from '#lib/browser/can-use-passkeys.ts'
import { askForProof } from '#lib/http/fresh-proof.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { useFactors } from './api.ts'
import { useAdding } from './own/use-adding.tsx'

export function EnrolmentForm({ onDone }: { onDone: () => void }) {
  const factors = useFactors()
  const adding = useAdding(onDone)
  if (factors.isPending) {
    return (
      <Loading label="Loading">
        <Skeleton className="h-32" />
      </Loading>
    )
  }
  if (factors.isError) return <ErrorPanel error={factors.error} onRetry={factors.refetch} />
  const { policy, canHavePasskeys } = factors.data
  const takesApps = policy !== 'phishing_resistant'
  const takesPasskeys = canHavePasskeys && canUsePasskeys()
  const show = async () => {
    if (await askForProof()) onDone()
  }
  return (
    <div className="flex flex-col gap-3">
      {hasOne(factors.data) && (
        <Button look="primary" size="large" onClick={() => void show()}>
          Use the one you have
        </Button>
      )}
      {takesPasskeys && (
        <Way icon={Fingerprint} title="Add a passkey" onClick={() => adding.add('passkey')}>
          Your fingerprint, face, screen lock or a security key. Fast, and safe from phishing.
        </Way>
      )}
      {takesApps && (
        <Way icon={Smartphone} title="Add an authenticator app" onClick={() => adding.add('totp')}>
          An app on your phone shows a code that you type when you sign in.
        </Way>
      )}
      {!takesPasskeys && !takesApps && (
        <p className="text-soft">Only a passkey is accepted, and this browser can’t use one here. Try another one.</p>
      )}
      {adding.dialog}
    </div>
  )
}

/** It was set up, but not asked for at this sign-in. */
const hasOne = ({ factors, policy }: FactorList): boolean =>
  factors.some(({ kind }) => kind === 'passkey' || (kind === 'totp' && policy !== 'phishing_resistant'))

interface WayProps {
  icon: LucideIcon
  title: string
  onClick: () => void
  children: string
}

const Way = ({ icon: Icon, title, onClick, children }: WayProps) => (
  <button
    type="button"
    onClick={onClick}
    className="flex items-start gap-3.5 rounded-panel border bg-surface px-4 py-3.5 text-left transition-colors duration-150 hover:bg-sunken"
  >
    <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-seal-text" />
    <span>
      <span className="block font-medium">{title}</span>
      <span className="text-soft text-sm">{children}</span>
    </span>
  </button>
)
