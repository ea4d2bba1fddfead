/** Creates, changes and deletes credentials of HTTP requests. */
import {
  type CredentialBody,
  type CredentialKind,
  type CredentialPatch,
  neededFields,
} from '@chancery/contract/workflows/http-credentials.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { isOwnedByConnection } from '#kernel/outbound/request-headers.ts'
import type { WorkflowsContext } from '../context.ts'
import {
  type CredentialRow,
  deleteCredentialUnscoped,
  lockCredential,
  upsertCredentialUnscoped,
} from '../queries/credentials.ts'
import { recordAction } from '../record-action.ts'
import type { CredentialFields } from '../tables.ts'
import { sealedAs } from './sealed-as.ts'

export const createCredential = async (
  context: WorkflowsContext,
  actor: Actor,
  { body, from }: { body: z.output<typeof CredentialBody>; from: Origin },
): Promise<string> => {
  const { db, clock, ids, sealer } = context.kernel
  const { name, description = '', kind, url, secret, enabled = true } = body
  const id = ids.next()
  const now = clock.now()
  const { origin } = new URL(url)
  await db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    await upsertCredentialUnscoped(tx, {
      id,
      scopeId: scopeOf(actor),
      name,
      description,
      kind,
      origin,
      fields: fieldsOf(kind, body),
      sealedSecret: sealer.seal(secret, sealedAs(id)),
      enabled,
      ...noToken,
      createdAt: now,
      updatedAt: now,
    })
    const detail = { name, kind, server: origin }
    await recordAction(context, tx, { kind: 'credential', action: 'create', id, actor, from, detail })
  })
  return id
}

const noToken = { sealedToken: null, tokenEndsAt: null, refreshingUntil: null }

/** Any change gives up the token in use: it may have been for another client or scope. */
export const updateCredential = (
  context: WorkflowsContext,
  actor: Actor,
  { id, patch, from }: { id: string; patch: z.output<typeof CredentialPatch>; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    const { clock, sealer } = context.kernel
    await context.organizations.requireWritable(tx, actor)
    const row = await lockCredential(tx, actor, id)
    if (!row) throw new AppError('credential_not_found')
    const { name = row.name, description = row.description, enabled = row.enabled, url, secret } = patch
    const changed: CredentialRow = {
      ...row,
      name,
      description,
      enabled,
      origin: url === undefined ? row.origin : new URL(url).origin,
      fields: { ...row.fields, ...fieldsOf(row.kind, patch) },
      ...noToken,
      updatedAt: clock.now(),
    }
    requireFields(changed)
    if (secret === undefined) requireSameServers(row, changed)
    else changed.sealedSecret = sealer.seal(secret, sealedAs(id))
    await upsertCredentialUnscoped(tx, changed)
    const detail = { name, fields: Object.keys(patch), server: changed.origin }
    await recordAction(context, tx, { kind: 'credential', action: 'update', id, actor, from, detail })
  })

const requireFields = ({ kind, fields }: CredentialRow): void => {
  for (const name of neededFields[kind]) if (!fields[name]) throw refusedAt(name, 'must not be empty')
}

/** A secret is sent only to the servers it was entered for: nobody can have it sent to one of their own. */
const requireSameServers = (before: CredentialRow, after: CredentialRow): void => {
  if (before.origin !== after.origin || before.fields.token_url !== after.fields.token_url)
    throw refusedAt('secret', 'must be entered again when the server changes')
}

const refusedAt = (field: string, msg: string): AppError =>
  new AppError('validation_failed', { problems: [{ loc: ['body', field], msg, type: 'invalid' }] })

const fieldNames = {
  bearer: [],
  basic: ['username'],
  header: ['header'],
  oauth2: ['token_url', 'client_id', 'scope', 'audience'],
} as const satisfies Record<CredentialKind, readonly (keyof CredentialFields)[]>

/** Those that the kind has and the request names. */
const fieldsOf = (kind: CredentialKind, sent: { [Name in keyof CredentialFields]?: string | undefined }) => {
  const found: CredentialFields = {}
  for (const name of fieldNames[kind]) {
    const value = sent[name]
    if (value === undefined) continue
    if (name === 'header' && isOwnedByConnection(value))
      throw refusedAt(name, 'is set by the connection and never sent')
    found[name] = value
  }
  return found
}

export const deleteCredential = (
  context: WorkflowsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const row = await lockCredential(tx, actor, id)
    if (!row) throw new AppError('credential_not_found')
    await deleteCredentialUnscoped(tx, id)
    const detail = { name: row.name }
    await recordAction(context, tx, { kind: 'credential', action: 'delete', id, actor, from, detail })
  })
