/** Makes a draft from uploaded files. They are prepared before the transaction, which then claims them all or none. */
import type { Db } from '#kernel/db/database.ts'
import { claimRequestKeyUnscoped, findRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext, Source } from '../context.ts'
import { chainStart } from '../evidence/chain.ts'
import { type NewEntry, record } from '../evidence/record.ts'
import { insertDocumentUnscoped, type Kind } from '../queries/documents.ts'
import { addPrepared, type PreparedUpload, type Uploads, withoutEnding, withPreparedFiles } from './prepare-files.ts'
import { requireStorage } from './quota.ts'
import { authorOf } from './with-document.ts'

interface Request extends Uploads {
  title?: string | undefined
  from: Source
  /** `Idempotency-Key`: for a day it makes one document. */
  key?: string | undefined
}

export const createDocument = async (
  context: SigningContext,
  actor: Actor,
  { title, files, form, from, key }: Request,
): Promise<string> => {
  const { kernel } = context
  const request = { userId: actor.id, purpose: 'document', key }
  const known = await findRequestKeyUnscoped(kernel, kernel.db, request)
  if (known !== undefined) return known
  const named = title ?? titleFrom(files[0]?.name)
  return withPreparedFiles(context, actor, { files, form }, (prepared) =>
    kernel.db.transaction().execute(async (tx) => {
      const id = kernel.ids.next()
      const first = await claimRequestKeyUnscoped(kernel, tx, { ...request, resultId: id })
      if (first !== id) return first
      await insertWithFiles(context, tx, { id, actor, from, title: named, files: prepared })
      return id
    }),
  )
}

interface DraftWithFiles {
  id: string
  actor: Actor
  from: Source
  title: string
  files: readonly PreparedUpload[]
  /** Said of the document besides its title. */
  detail?: Record<string, unknown>
}

export const insertWithFiles = async (context: SigningContext, tx: Db, draft: DraftWithFiles): Promise<void> => {
  const { id, actor, from, title, files, detail } = draft
  await requireStorage(context, tx, { owner: actor, files })
  await insertDraft(context, tx, { id, maker: actor, kind: 'DOCUMENT', title })
  const by = authorOf({ actor, from })
  const added = await addPrepared(context, tx, { documentId: id, files, position: 0 })
  const entries: NewEntry[] = added.map((about) => ({ type: 'file_added', by, detail: about }))
  await record(context, tx, {
    documentId: id,
    entries: [{ type: 'created', by, detail: { title, ...detail } }, ...entries],
  })
}

/** The future owner of the document. */
export type Maker = Pick<Actor, 'id' | 'name' | 'email' | 'organizationId'>

export const insertDraft = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { id, maker, kind, title }: { id: string; maker: Maker; kind: Kind; title: string },
): Promise<void> => {
  const now = kernel.clock.now()
  await insertDocumentUnscoped(tx, {
    ...emptyDraft,
    id,
    kind,
    title,
    scopeId: scopeOf(maker),
    organizationId: maker.organizationId,
    ownerId: maker.id,
    ownerName: maker.name,
    ownerEmail: maker.email,
    auditHead: chainStart(id),
    createdAt: now,
    updatedAt: now,
  })
}

const emptyDraft = {
  message: null,
  summary: null,
  folder: null,
  language: 'en',
  state: 'DRAFT',
  signingOrder: 'PARALLEL',
  emailOtp: false,
  allowDelegation: false,
  expiresAt: null,
  reminderDays: null,
  nextReminderAt: null,
  reminderCount: 0,
  auditCount: 0,
  sealEpoch: 0,
  sealLeaseUntil: null,
  sealHolder: null,
  sealError: null,
  sealedKey: null,
  sealedSha256: null,
  sealedBytes: null,
  sealedAt: null,
  sealLevel: null,
  sealSigner: null,
  sealedFileId: null,
  certificateKey: null,
  certificateSha256: null,
  certificateBytes: null,
  sentAt: null,
  endedAt: null,
  deletedAt: null,
  correlationId: null,
  runId: null,
  runLine: null,
  runNode: null,
} as const

/** The file's name without its ending; a name that is nothing else keeps it. */
const titleFrom = (name = 'Document'): string => withoutEnding(name).slice(0, 200)
