/** Signing in, also on devices without a browser; one's own account, sessions and API keys. */
import {
  Accepted,
  ChangePasswordBody,
  ForgotPasswordBody,
  KnownBrowserQuery,
  LoginBody,
  LoginMode,
  LoginModeQuery,
  LoginReply,
  MailFacts,
  Me,
  MePatch,
  OtpChallenge,
  PasswordChanged,
  RegisterBody,
  RegisterReply,
  ResendOtpBody,
  ResetPasswordBody,
  SessionList,
  SignedIn,
  TokenFacts,
  VerifyEmailBody,
  VerifyOtpBody,
} from '../accounts/accounts.ts'
import { ApiKeyBody, ApiKeyList, NewApiKey } from '../accounts/api-keys.ts'
import {
  DeviceBody,
  DeviceCode,
  DeviceDecision,
  DeviceQuery,
  DeviceQuestion,
  DeviceToken,
  DeviceTokenBody,
} from '../accounts/devices.ts'
import { del, get, patch, post } from '../endpoint.ts'

export const listApiKeys = get('/api/v1/api-keys', { reply: ApiKeyList })
export const createApiKey = post('/api/v1/api-keys', { body: ApiKeyBody, reply: NewApiKey, status: 201 })
export const revokeApiKey = del('/api/v1/api-keys/:id')
export const knowBrowser = get('/api/auth/known-browser', { query: KnownBrowserQuery, reply: 'redirect' })
export const resolveLoginMode = get('/api/auth/resolve-login-mode', { query: LoginModeQuery, reply: LoginMode })
export const logIn = post('/api/auth/login', { body: LoginBody, reply: LoginReply })
export const verifyLoginCode = post('/api/auth/verify-login-otp', { body: VerifyOtpBody, reply: SignedIn })
export const resendLoginCode = post('/api/auth/resend-login-otp', { body: ResendOtpBody, reply: OtpChallenge })
export const logOut = post('/api/auth/logout')
export const changeMe = patch('/api/auth/me', { body: MePatch, reply: Me })
export const getMailFacts = get('/api/auth/mail', { reply: MailFacts })
export const validateSession = get('/api/auth/validate', { reply: TokenFacts })
export const verifyEmail = post('/api/auth/verify-email', { body: VerifyEmailBody })
export const resendVerification = post('/api/auth/resend-verification', { reply: Accepted, status: 202 })
export const listSessions = get('/api/auth/sessions', { reply: SessionList })
export const endSession = del('/api/auth/sessions/:id')
export const forgetPassword = post('/api/auth/forgot-password', {
  body: ForgotPasswordBody,
  reply: Accepted,
  status: 202,
})
export const resetPassword = post('/api/auth/reset-password', { body: ResetPasswordBody, reply: PasswordChanged })
export const changePassword = post('/api/auth/change-password', { body: ChangePasswordBody })
export const register = post('/api/auth/register', { body: RegisterBody, reply: RegisterReply, status: 201 })
export const startDevice = post('/api/auth/device', { body: DeviceBody, reply: DeviceCode })
export const takeDeviceToken = post('/api/auth/device/token', { body: DeviceTokenBody, reply: DeviceToken })
export const getDeviceQuestion = get('/api/auth/device/question', { query: DeviceQuery, reply: DeviceQuestion })
export const decideDevice = post('/api/auth/device/decision', { body: DeviceDecision })
