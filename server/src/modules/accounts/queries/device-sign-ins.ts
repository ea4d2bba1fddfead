/** All SQL for `device_sign_ins`. A device is known by its own code, a person names it by the code that it shows. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { DeviceSignInsTable } from '../tables.ts'

type Asked = Pick<DeviceSignInsTable, 'deviceHash' | 'userCodeMac' | 'name' | 'ip' | 'createdAt' | 'expiresAt'>

/** Expired ones are deleted along with it. */
export const insertDeviceSignInUnscoped = async (db: Db, asked: Asked): Promise<void> => {
  await db.deleteFrom('deviceSignIns').where('expiresAt', '<', asked.createdAt).execute()
  const undecided = { userId: null, credentialKind: null, credentialId: null, isAllowed: null }
  await db
    .insertInto('deviceSignIns')
    .values({ ...asked, ...undecided })
    .execute()
}

export const findUndecidedUnscoped = (db: Db, { userCodeMac, now }: { userCodeMac: string; now: Date }) =>
  db
    .selectFrom('deviceSignIns')
    .select(['name', 'ip', 'createdAt'])
    .where('userCodeMac', '=', userCodeMac)
    .where('expiresAt', '>', now)
    .where('isAllowed', 'is', null)
    .executeTakeFirst()

interface Decided {
  userCodeMac: string
  isAllowed: boolean
  now: Date
}

/** False where the code is unknown, too old or already decided. */
export const decideDeviceSignIn = async (
  db: Db,
  { id, credential }: Actor,
  { userCodeMac, isAllowed, now }: Decided,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('deviceSignIns')
    .set({ userId: id, credentialKind: credential.kind, credentialId: credential.id, isAllowed })
    .where('userCodeMac', '=', userCodeMac)
    .where('expiresAt', '>', now)
    .where('isAllowed', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Locked, so that of two requests at the same time one gets the key. */
export const lockDeviceSignInUnscoped = (tx: Db, { deviceHash, now }: { deviceHash: string; now: Date }) =>
  tx
    .selectFrom('deviceSignIns')
    .select(['name', 'userId', 'credentialKind', 'credentialId', 'isAllowed'])
    .where('deviceHash', '=', deviceHash)
    .where('expiresAt', '>', now)
    .forUpdate()
    .executeTakeFirst()

export const deleteDeviceSignInUnscoped = (tx: Db, deviceHash: string) =>
  tx.deleteFrom('deviceSignIns').where('deviceHash', '=', deviceHash).execute()
