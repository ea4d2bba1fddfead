/** The page a password reset email links to. */
import { getRouteApi } from '@tanstack/react-router'
import { resetPassword } from '#features/auth/api.ts'
import { ResetSheet } from '../forgot-sheets.tsx'
import { useResetDone } from '../use-reset-done.ts'

const route = getRouteApi('/reset-password')

export function ResetPasswordPage() {
  const { token } = route.useSearch()
  return <ResetSheet side="person" token={token} send={resetPassword} onDone={useResetDone('/sign-in')} />
}
