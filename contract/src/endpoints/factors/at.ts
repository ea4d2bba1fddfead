/** The endpoints of second factors under one address: people's and platform admins' are the same. */
import {
  ChallengeBody,
  ConfirmTotpBody,
  Factor,
  FactorList,
  FactorPatch,
  NewPasskey,
  NewPasskeyBody,
  NewTotp,
  PasskeyOptions,
  ProveBody,
  Proven,
  RecoveryCodes,
} from '../../accounts/factors.ts'
import { del, get, patch, post } from '../../endpoint.ts'

export const factorEndpoints = <const Prefix extends string>(prefix: Prefix) => ({
  listFactors: get(`${prefix}/factors`, { reply: FactorList }),
  addTotp: post(`${prefix}/factors/totp`, { reply: NewTotp, status: 201 }),
  confirmTotp: post(`${prefix}/factors/totp/:id/confirm`, { body: ConfirmTotpBody, reply: RecoveryCodes }),
  renewRecoveryCodes: post(`${prefix}/factors/recovery-codes`, { reply: RecoveryCodes }),
  forgetBrowsers: del(`${prefix}/factors/remembered-browsers`),
  renameFactor: patch(`${prefix}/factors/:id`, { body: FactorPatch, reply: Factor }),
  removeFactor: del(`${prefix}/factors/:id`),
  askForPasskey: post(`${prefix}/passkeys/options`, { reply: PasskeyOptions }),
  addPasskey: post(`${prefix}/passkeys`, { body: NewPasskeyBody, reply: NewPasskey, status: 201 }),
  askForSignIn: post(`${prefix}/passkeys/sign-in/options`, { reply: PasskeyOptions }),
  askForChallenge: post(`${prefix}/passkeys/challenge-options`, { body: ChallengeBody, reply: PasskeyOptions }),
  askForProof: post(`${prefix}/prove/options`, { reply: PasskeyOptions }),
  prove: post(`${prefix}/prove`, { body: ProveBody, reply: Proven }),
})
