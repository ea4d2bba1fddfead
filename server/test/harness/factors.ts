/** Second factors of test people, set up through the API. */
import { generateSync } from 'otplib'
import { createPasskey, type Passkey } from '../peers/passkey.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

export const home = { origin: 'http://localhost:4000', rpId: 'localhost' }

export const codeAt = (secret: string, app: Pick<TestApp, 'clock'>): string =>
  generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) })

interface Totp {
  id: string
  recoveryCodes: string[]
  /** The code of the next step: each counts once. */
  next(): string
}

export const addTotp = async (app: TestApp, person: Person, at = '/api/auth'): Promise<Totp> => {
  const { id, secret } = (await person.post(`${at}/factors/totp`)).body
  const { recoveryCodes } = (await person.post(`${at}/factors/totp/${id}/confirm`, { code: codeAt(secret, app) })).body
  return {
    id,
    recoveryCodes,
    next: () => {
      app.clock.forward({ minutes: 0.5 })
      return codeAt(secret, app)
    },
  }
}

export const addPasskey = async (person: Person, at = '/api/auth', passkey = createPasskey(home)): Promise<Passkey> => {
  const options = await person.post(`${at}/passkeys/options`)
  const added = await person.post(`${at}/passkeys`, { name: 'My laptop', response: passkey.create(options.body) })
  if (added.status !== 201) throw new Error(`no passkey: ${added.text}`)
  return passkey
}
