/** Opens when a call needs fresh proof (`lib/http/fresh-proof.ts`). Closing it gives the call up. */
import { useState } from 'react'
import { lastSide } from '#data/viewer.ts'
import { canUsePasskeys } from '#lib/browser/can-use-passkeys.ts'
import { settleProof } from '#lib/http/fresh-proof.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { OtherWays } from './answer/other-ways.tsx'
import { WayForm } from './answer/way-form.tsx'
import { proofWays, type Way } from './answer/ways.ts'
import { askForProof, prove, useFactors } from './api.ts'

export function ProofDialog() {
  const factors = useFactors()
  return (
    <Dialog
      title="Confirm that it’s you"
      hint="We ask again before a change like this. Your answer counts for five minutes."
      isOpen
      isDisposable
      onClose={() => settleProof(false)}
    >
      {factors.isPending && (
        <Loading label="Loading">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {factors.isError && <ErrorPanel error={factors.error} onRetry={factors.refetch} />}
      {factors.isSuccess && <Ways ways={proofWays(factors.data, canUsePasskeys())} />}
    </Dialog>
  )
}

function Ways({ ways }: { ways: Way[] }) {
  const side = lastSide()
  const [chosen, setWay] = useState<Way>()
  const way = chosen ?? ways[0]
  // A passkey that this browser can't use, and no recovery codes left.
  if (way === undefined)
    return <p className="text-soft">Your passkey can’t be used in this browser. Sign in where you can use it.</p>
  return (
    <div className="flex flex-col gap-5">
      <WayForm
        way={way}
        ask={() => askForProof(side)}
        send={async (answer) => {
          await prove(side, answer)
          settleProof(true)
        }}
        action="Confirm"
      />
      {way === 'password' && (
        <p className="text-faint text-sm">Without a password? Sign out and in again, then repeat this.</p>
      )}
      <OtherWays key={way} ways={ways} way={way} onWay={setWay} />
    </div>
  )
}
