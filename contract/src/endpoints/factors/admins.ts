/** A platform admin's second step, factors, passkeys, fresh proof and forgotten password. */
import {
  Accepted,
  ForgotPasswordBody,
  OtpChallenge,
  PasswordChanged,
  ResendOtpBody,
  ResetPasswordBody,
  VerifyOtpBody,
} from '../../accounts/accounts.ts'
import { PasskeySignInBody } from '../../accounts/factors.ts'
import { post } from '../../endpoint.ts'
import { AdminSignedIn } from '../../platform/platform.ts'
import { factorEndpoints } from './at.ts'

export const {
  listFactors,
  addTotp,
  confirmTotp,
  renewRecoveryCodes,
  forgetBrowsers,
  renameFactor,
  removeFactor,
  askForPasskey,
  addPasskey,
  askForSignIn,
  askForChallenge,
  askForProof,
  prove,
} = /* @__PURE__ */ factorEndpoints('/api/admin/auth')

export const signInByPasskey = post('/api/admin/auth/passkeys/sign-in', {
  body: PasskeySignInBody,
  reply: AdminSignedIn,
})
export const verifyLoginCode = post('/api/admin/auth/verify-login-otp', { body: VerifyOtpBody, reply: AdminSignedIn })
export const resendLoginCode = post('/api/admin/auth/resend-login-otp', { body: ResendOtpBody, reply: OtpChallenge })
export const forgetPassword = post('/api/admin/auth/forgot-password', {
  body: ForgotPasswordBody,
  reply: Accepted,
  status: 202,
})
export const resetPassword = post('/api/admin/auth/reset-password', {
  body: ResetPasswordBody,
  reply: PasswordChanged,
})
export const resetFactors = post('/api/admin/auth/accounts/:id/reset-factors')
