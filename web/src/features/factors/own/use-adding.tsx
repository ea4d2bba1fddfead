/** The dialogs that add a factor, and the recovery codes that come with the first one. */
import { type ReactNode, useState } from 'react'
import { toast } from '#ui/feedback/toast.ts'
import { useRefreshFactors } from '../api.ts'
import { AddAppDialog } from './add-app-dialog.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

type Kind = 'passkey' | 'totp'
type Shown = { step: Kind } | { step: 'codes'; codes: readonly string[] }

const told: Record<Kind, string> = { passkey: 'Passkey added', totp: 'Authenticator app added' }

interface Adding {
  add: (kind: Kind) => void
  showCodes: (codes: readonly string[]) => void
  /** Has to be on the page. */
  dialog: ReactNode
}

/** `onDone` is called when something was added and the recovery codes are safe. */
export function useAdding(onDone?: () => void): Adding {
  const [shown, setShown] = useState<Shown>()
  const refresh = useRefreshFactors()
  const finish = async () => {
    setShown(undefined)
    await refresh()
    onDone?.()
  }
  const onAdded = (kind: Kind) => (codes: readonly string[]) => {
    toast.done(told[kind])
    if (codes.length === 0) return void finish()
    setShown({ step: 'codes', codes })
  }
  const close = () => setShown(undefined)
  return {
    add: (step) => setShown({ step }),
    showCodes: (codes) => setShown({ step: 'codes', codes }),
    dialog: (
      <>
        {shown?.step === 'passkey' && <AddPasskeyDialog onAdded={onAdded('passkey')} onClose={close} />}
        {shown?.step === 'totp' && <AddAppDialog onAdded={onAdded('totp')} onClose={close} />}
        {shown?.step === 'codes' && <RecoveryCodesDialog codes={shown.codes} onDone={() => void finish()} />}
      </>
    ),
  }
}
