/** The page a platform admin's password reset email links to. */
import { getRouteApi } from '@tanstack/react-router'
import { resetPassword } from '#features/platform-auth/api.ts'
import { ResetSheet } from '../forgot-sheets.tsx'
import { useResetDone } from '../use-reset-done.ts'

const route = getRouteApi('/platform/reset-password')

export function PlatformResetPasswordPage() {
  const { token } = route.useSearch()
  return <ResetSheet side="admin" token={token} send={resetPassword} onDone={useResetDone('/platform/sign-in')} />
}
