/** Requests a password reset. */
import { askForReset } from '#features/auth/api.ts'
import { ForgotSheet } from '../forgot-sheets.tsx'

export const ForgotPasswordPage = () => <ForgotSheet side="person" send={askForReset} />
