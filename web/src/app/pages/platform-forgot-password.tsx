/** Requests a password reset for a platform admin. */
import { askForReset } from '#features/platform-auth/api.ts'
import { ForgotSheet } from '../forgot-sheets.tsx'

export const PlatformForgotPasswordPage = () => <ForgotSheet side="admin" send={askForReset} />
