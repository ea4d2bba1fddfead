/** All SQL for `signing_fields`. Callers have found the document through the actor, or hold a recipient's link. */

import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SigningFieldsTable } from '../tables.ts'

export type FieldRow = SigningFieldsTable

export const listFieldsUnscoped = (db: Db, documentId: string): Promise<FieldRow[]> =>
  db.selectFrom('signingFields').selectAll().where('documentId', '=', documentId).orderBy('position').execute()

/** A text or a boolean is JSON too; the driver would send it as it is. */
const json = (value: unknown) => (value === null ? null : sql<never>`${JSON.stringify(value)}::jsonb`)

const batchSize = 500

export const replaceFieldsUnscoped = async (db: Db, documentId: string, fields: readonly FieldRow[]): Promise<void> => {
  await db.deleteFrom('signingFields').where('documentId', '=', documentId).execute()
  for (let start = 0; start < fields.length; start += batchSize)
    await db
      .insertInto('signingFields')
      .values(fields.slice(start, start + batchSize).map((field) => ({ ...field, value: json(field.value) })))
      .execute()
}

/** Nobody fills in an empty field. */
export const setValueUnscoped = async (
  db: Db,
  id: string,
  { value, filledBy }: { value: FieldValue | null; filledBy: 'SIGNER' | 'SERVICE' },
): Promise<void> => {
  await db
    .updateTable('signingFields')
    .set({ value: json(value), filledBy: value === null ? null : filledBy })
    .where('id', '=', id)
    .execute()
}

/** Fields of one person alone: another must not sign with them. */
const personal = ['SIGNATURE', 'INITIALS', 'NAME', 'EMAIL', 'DATE'] as const

export const clearPersonalValuesUnscoped = async (db: Db, recipientId: string): Promise<void> => {
  await db
    .updateTable('signingFields')
    .set({ value: null, filledBy: null })
    .where('recipientId', '=', recipientId)
    .where('type', 'in', personal)
    .where('readOnly', '=', false)
    .execute()
}

/** Gives a recipient's fields to another, without the signature and the name that they may hold. */
export const moveFieldsUnscoped = async (db: Db, from: string, to: string): Promise<void> => {
  await clearPersonalValuesUnscoped(db, from)
  await db.updateTable('signingFields').set({ recipientId: to }).where('recipientId', '=', from).execute()
}
