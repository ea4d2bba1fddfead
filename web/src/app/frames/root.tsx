/** Rendered on every page: the page itself, the question who is there when a call needs it, and the toasts. */
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { isProofAsked, subscribeToProof } from '#lib/http/fresh-proof.ts'
import { Toasts } from '#ui/feedback/toasts.tsx'

const ProofDialog = lazy(async () => ({
  default: (await import('#features/factors/proof-dialog.tsx')).ProofDialog,
}))

export function RootFrame() {
  const isAsked = useSyncExternalStore(subscribeToProof, isProofAsked)
  return (
    <>
      <Outlet />
      <Suspense>{isAsked && <ProofDialog />}</Suspense>
      <Toasts />
    </>
  )
}
