/**
 * A person adds an authenticator app or a passkey. The first one brings recovery codes; one that suffices opens a session
 * that was waiting for it.
 */
import type { NewPasskeyBody, NewTotp } from '@chancery/contract/accounts/factors.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { lackingFactor } from '#modules/accounts/index.ts'
import type { FactorsContext } from './context.ts'
import { mailChange } from './factor-mail.ts'
import { readNewPasskey } from './passkeys/read-new-passkey.ts'
import {
  deleteUnconfirmedUnscoped,
  type FactorRow,
  insertFactorUnscoped,
  listFactorsUnscoped,
  lockFactorsUnscoped,
  lockOwnFactor,
  updateFactorUnscoped,
} from './queries.ts'
import { firstCodes } from './recovery-codes.ts'
import { newSecret, openSecret, sealSecret, stepOfCode, totpUrl } from './totp.ts'

const most = 20
export const setupMs = 3_600_000

/** Under the lock that is held to take all factors away: none is added by a session that has ended meanwhile. */
const requireRoom = async ({ accounts }: FactorsContext, tx: Db, actor: Actor): Promise<void> => {
  await lockFactorsUnscoped(tx, actor)
  if (!(await accounts.findCurrentActorUnscoped(tx, actor))) throw new AppError('not_authenticated')
  if ((await listFactorsUnscoped(tx, actor)).length >= most) throw new AppError('too_many_factors')
}

const empty = {
  sealedSecret: null,
  lastStep: null,
  credentialId: null,
  publicKey: null,
  counter: null,
  transports: null,
  confirmedAt: null,
  lastUsedAt: null,
}

/** It counts once its first code was right. What was begun before is gone. */
export const beginTotp = async (context: FactorsContext, actor: Actor): Promise<z.infer<typeof NewTotp>> => {
  const { clock, db, externalUrl, ids, sealer } = context
  const id = ids.next()
  const secret = await newSecret()
  await db.transaction().execute(async (tx) => {
    await requireRoom(context, tx, actor)
    await deleteUnconfirmedUnscoped(tx, actor)
    await insertFactorUnscoped(tx, {
      ...empty,
      id,
      principalKind: actor.kind,
      principalId: actor.id,
      kind: 'totp',
      name: 'Authenticator app',
      sealedSecret: sealSecret(sealer, id, secret),
      createdAt: clock.now(),
    })
  })
  const issuer = `Chancery (${new URL(externalUrl).hostname})`
  return { id, secret, otpauthUrl: await totpUrl({ issuer, label: actor.email, secret }) }
}

export const confirmTotp = async (
  context: FactorsContext,
  actor: Actor,
  { id, code, from }: { id: string; code: string; from: Origin },
): Promise<string[]> => {
  const { clock, db, limits, sealer } = context
  const { allowed, retryAfterSec } = await limits.take(`confirm totp ${actor.id}`, { max: 20, windowSec: 900 })
  if (!allowed) throw new AppError('too_many_requests', { retryAfterSec })
  const codes = await db.transaction().execute(async (tx) => {
    await requireRoom(context, tx, actor)
    const begun = await lockOwnFactor(tx, actor, id)
    const isOpen = begun?.confirmedAt === null && begun.createdAt.getTime() + setupMs > clock.now().getTime()
    if (!isOpen || begun.sealedSecret === null) throw new AppError('factor_not_found')
    const secret = openSecret(sealer, id, begun.sealedSecret)
    const lastStep = await stepOfCode({ secret, code, now: clock.now(), lastStep: null })
    if (lastStep === undefined) throw new AppError('wrong_code')
    await updateFactorUnscoped(tx, id, { confirmedAt: clock.now(), lastStep })
    return finish(context, tx, { actor, factor: begun, from })
  })
  await openSession(context, actor, 'totp')
  return codes
}

export const addPasskey = async (
  context: FactorsContext,
  actor: Actor,
  { name, response, from }: z.infer<typeof NewPasskeyBody> & { from: Origin },
): Promise<{ passkey: FactorRow; recoveryCodes: string[] }> => {
  const { clock, db, ids } = context
  const read = await readNewPasskey(context, actor, response)
  const added = await db.transaction().execute(async (tx) => {
    await requireRoom(context, tx, actor)
    const createdAt = clock.now()
    const passkey: FactorRow = {
      ...empty,
      ...(await read(tx)),
      id: ids.next(),
      principalKind: actor.kind,
      principalId: actor.id,
      kind: 'passkey',
      name,
      createdAt,
      confirmedAt: createdAt,
    }
    if (!(await insertFactorUnscoped(tx, passkey))) throw new AppError('passkey_known')
    return { passkey, recoveryCodes: await finish(context, tx, { actor, factor: passkey, from }) }
  })
  await openSession(context, actor, 'passkey')
  return added
}

interface Added {
  actor: Actor
  factor: FactorRow
  from: Origin
}

const finish = async (context: FactorsContext, tx: Db, { actor, factor, from }: Added): Promise<string[]> => {
  const { id, kind, name } = factor
  const action = `${context.owners[actor.kind].area}.add_factor`
  await context.audit.record(tx, { action, by: actor, from, target: { kind: 'factor', id }, detail: { kind, name } })
  await mailChange(context, tx, { to: actor.email, told: `${kind} added` })
  return firstCodes(context, tx, actor)
}

const openSession = async (context: FactorsContext, actor: Actor, kind: FactorRow['kind']): Promise<void> => {
  const { needsFactor } = actor.credential
  if (needsFactor && lackingFactor(needsFactor, kind) === null)
    await context.accounts.sessions.noteProof(actor, { hasFactor: true })
}
