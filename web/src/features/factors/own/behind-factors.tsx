/** Recovery codes, and browsers that aren't asked for a second step. */
import type { FactorList } from '@chancery/contract/accounts/factors.ts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { forgetBrowsers, renewCodes, useRefreshFactors } from '../api.ts'

/** So few that somebody should make new ones. */
const few = 3

interface BehindFactorsProps {
  list: FactorList
  onCodes: (codes: readonly string[]) => void
}

export function BehindFactors({ list: { recoveryCodesLeft, rememberedBrowsers }, onCodes }: BehindFactorsProps) {
  return (
    <div className="flex flex-col gap-5 divide-y divide-line border-t px-5 pt-4 pb-5 *:not-last:pb-5">
      <RecoveryCodes left={recoveryCodesLeft} onCodes={onCodes} />
      {rememberedBrowsers > 0 && <Browsers count={rememberedBrowsers} />}
    </div>
  )
}

interface LineProps {
  title: ReactNode
  hint: string
  action: ReactNode
}

const Line = ({ title, hint, action }: LineProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
    <div>
      <p className="flex flex-wrap items-center gap-2 font-medium">{title}</p>
      <p className="max-w-prose text-faint text-sm">{hint}</p>
    </div>
    {action}
  </div>
)

function RecoveryCodes({ left, onCodes }: { left: number; onCodes: BehindFactorsProps['onCodes'] }) {
  const [isAsking, setAsking] = useState(false)
  const renew = useMutation({
    mutationFn: renewCodes,
    onSuccess: onCodes,
    onError: toast.failed,
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Line
        title={
          <>
            Recovery codes
            <Badge tone={left <= few ? 'warn' : 'plain'}>{left === 0 ? 'None left' : `${left} left`}</Badge>
          </>
        }
        hint={
          left <= few
            ? 'Make new ones now: without them, a lost device locks you out.'
            : 'Each signs you in once if you lose your device.'
        }
        action={<Button onClick={() => setAsking(true)}>Make new codes</Button>}
      />
      <Confirm
        title="Make new recovery codes?"
        loss="The codes you have now stop working."
        action="Make new codes"
        isOpen={isAsking}
        isPending={renew.isPending}
        onConfirm={() => renew.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function Browsers({ count }: { count: number }) {
  const refresh = useRefreshFactors()
  const forget = useMutation({
    mutationFn: forgetBrowsers,
    onSuccess: async () => {
      await refresh()
      toast.done('Every browser will be asked again')
    },
    onError: toast.failed,
  })
  return (
    <Line
      title={counted(count, 'remembered browser')}
      hint="Only asked for the password for 30 days after you said so."
      action={
        <Button isPending={forget.isPending} onClick={() => forget.mutate()}>
          Ask everywhere again
        </Button>
      }
    />
  )
}
