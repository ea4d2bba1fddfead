/** A person's second factors, passkeys and fresh proof. */
import { SignedIn } from '../../accounts/accounts.ts'
import { PasskeySignInBody } from '../../accounts/factors.ts'
import { post } from '../../endpoint.ts'
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
} = /* @__PURE__ */ factorEndpoints('/api/auth')

export const signInByPasskey = post('/api/auth/passkeys/sign-in', { body: PasskeySignInBody, reply: SignedIn })
