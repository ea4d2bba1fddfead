/**
 * Signing in on a device without a browser (RFC 8628). The device shows a short code, a signed-in person confirms it, and
 * the device gets an API key of theirs for ninety days. The key is made when the device takes it, so a sign-in that isn't
 * finished leaves none. Codes count once, and for ten minutes.
 */
import { randomInt } from 'node:crypto'
import type { DeviceCode, DeviceQuestion } from '@chancery/contract/accounts/devices.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { hashToken, macOf, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EarlierActor } from '../actor/authenticate.ts'
import type { AccountsContext } from '../context.ts'
import { createApiKey, requireOwnRights } from '../keys/create-api-key.ts'
import {
  decideDeviceSignIn,
  deleteDeviceSignInUnscoped,
  findUndecidedUnscoped,
  insertDeviceSignInUnscoped,
  lockDeviceSignInUnscoped,
} from '../queries/device-sign-ins.ts'

const codeMs = 600_000
const intervalSec = 5
const keyMs = 90 * 86_400_000
/** No vowels, so that no words come up, and nothing that looks like something else. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const letterCount = 8

const newUserCode = (): string => Array.from({ length: letterCount }, () => letters[randomInt(letters.length)]).join('')

const macOfCode = ({ secrets }: AccountsContext, code: string): string =>
  macOf(secrets.JWT_SECRET, 'device-code', code.toUpperCase().replace(/[^A-Z]/g, ''))

const keyEnd = (now: Date): Date => new Date(now.getTime() + keyMs)

export const startDeviceSignIn = async (
  context: AccountsContext,
  { name, from }: { name: string; from: Origin },
): Promise<DeviceCode> => {
  const { db, clock, externalUrl } = context
  const deviceCode = randomToken()
  const code = newUserCode()
  const now = clock.now()
  await insertDeviceSignInUnscoped(db, {
    deviceHash: hashToken(deviceCode),
    userCodeMac: macOfCode(context, code),
    name,
    ip: from.ip,
    createdAt: now,
    expiresAt: new Date(now.getTime() + codeMs),
  })
  const userCode = `${code.slice(0, 4)}-${code.slice(4)}`
  const page = `${externalUrl}/account/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${userCode}`,
    expires_in: codeMs / 1000,
    interval: intervalSec,
  }
}

/** What the person confirms. Throws `device_code_not_found`. */
export const askAboutDevice = async (context: AccountsContext, userCode: string): Promise<DeviceQuestion> => {
  const now = context.clock.now()
  const found = await findUndecidedUnscoped(context.db, { userCodeMac: macOfCode(context, userCode), now })
  if (!found) throw new AppError('device_code_not_found')
  const { name, ip, createdAt } = found
  return { name, ip, asked_at: unixSeconds(createdAt), key_expires_at: unixSeconds(keyEnd(now)) }
}

/** Throws `device_code_not_found`, and `key_exceeds_own_rights` for a credential that is good for less than the key. */
export const decideAboutDevice = async (
  context: AccountsContext,
  actor: Actor,
  { userCode, isAllowed }: { userCode: string; isAllowed: boolean },
): Promise<void> => {
  const now = context.clock.now()
  if (isAllowed) requireOwnRights(actor, { allowedRoutes: null, expiresAt: keyEnd(now) })
  const decision = { userCodeMac: macOfCode(context, userCode), isAllowed, now }
  if (!(await decideDeviceSignIn(context.db, actor, decision))) throw new AppError('device_code_not_found')
}

interface Taking {
  deviceCode: string
  from: Origin
  /** Undefined where the person has signed out since. */
  findCurrentActor: (tx: Db, earlier: EarlierActor) => Promise<Actor | undefined>
}

/** Throws `authorization_pending`, `access_denied` and `expired_token`. */
export const takeDeviceKey = (
  context: AccountsContext,
  { deviceCode, from, findCurrentActor }: Taking,
): Promise<{ key: string; expiresInSec: number }> =>
  context.db.transaction().execute(async (tx) => {
    const now = context.clock.now()
    const deviceHash = hashToken(deviceCode)
    const found = await lockDeviceSignInUnscoped(tx, { deviceHash, now })
    if (!found) throw new AppError('expired_token')
    const { name, userId, credentialKind, credentialId, isAllowed } = found
    if (isAllowed === null) throw new AppError('authorization_pending')
    if (!isAllowed || userId === null || credentialKind === null || credentialId === null)
      throw new AppError('access_denied')
    const actor = await findCurrentActor(tx, { id: userId, credential: { kind: credentialKind, id: credentialId } })
    if (!actor) throw new AppError('access_denied')
    const request = { name, expires_at: unixSeconds(keyEnd(now)) }
    const { key } = await createApiKey(context, tx, { actor, request, from })
    await deleteDeviceSignInUnscoped(tx, deviceHash)
    return { key, expiresInSec: keyMs / 1000 }
  })
